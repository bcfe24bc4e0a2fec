import sentences from "../generated/sentences.json";
import { type DocumentNode, nodeIn } from "./schema.ts";

interface Sentences extends DocumentNode<Sentences> {
  readonly sentence: string;
  /** Where its default comes from. */
  readonly source?: string;
  readonly options?: readonly { readonly value: string; readonly sentence: string }[];
}

const ROOT = sentences as unknown as Sentences;

/** What the field at a path is, in a sentence or more. */
export const sentenceAt = (path: string, scenario: unknown): string => nodeIn(ROOT, path, scenario).sentence;

/** Where the default of the field at a path comes from; none where it has none. */
export const sourceAt = (path: string, scenario: unknown): string | undefined =>
  nodeIn(ROOT, path, scenario).source;

/** What a choice of the field at a path means. */
export const choiceSentence = (path: string, scenario: unknown, choice: string): string =>
  nodeIn(ROOT, path, scenario).options?.find(({ value }) => value === choice)?.sentence ?? "";
