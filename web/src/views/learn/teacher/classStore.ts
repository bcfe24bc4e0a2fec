import { createStore } from "zustand/vanilla";
import type { Answers } from "./answersFile.ts";
import { type Collected, type HandedIn, NOTHING, takeIn } from "./collected.ts";

/** What a teacher has collected, as long as the tab lives; nothing of it is kept anywhere. */
export interface ClassState {
  readonly collected: Collected;
  /** The id of the lesson that is shown; empty: that of the first answers. */
  readonly lesson: string;
  /** Names are shown. */
  readonly named: boolean;
  /** Texts of lessons of one's own that answers are about, by their ids. */
  readonly own: Readonly<Record<string, string>>;
}

const FIRST: ClassState = { collected: NOTHING, lesson: "", named: false, own: {} };

export const classStore = createStore<ClassState>()(() => FIRST);

const collect = (handedIn: readonly HandedIn[]): void =>
  classStore.setState(({ collected }) => ({ collected: takeIn(collected, handedIn) }));

/** Takes files in, whatever they are. */
export async function collectFiles(files: Iterable<File>): Promise<void> {
  const read = async (file: File): Promise<HandedIn> => ({
    name: file.name,
    text: await file.text().catch(() => ""),
    kind: "file",
  });
  collect(await Promise.all([...files].map(read)));
}

/** Takes links in: each begins with its address, whatever stands between them. */
export function collectLinks(text: string): void {
  const links = text
    .split(/(?=https?:\/\/|(?:^|\s)#answers=)/)
    .map((link) => link.trim())
    .filter(Boolean);
  collect(links.map((link, at) => ({ name: `Link ${at + 1}`, text: link, kind: "link" })));
}

/** Puts answers in the place of those that they came of. */
export const replaceAnswers = (before: readonly Answers[], after: readonly Answers[]): void =>
  classStore.setState(({ collected }) => ({
    collected: {
      ...collected,
      answers: collected.answers.map((one) => after[before.indexOf(one)] ?? one),
    },
  }));

export const forgetClass = (): void => classStore.setState(FIRST, true);
