import type { Diagnostic } from "../../scenario/types.ts";

/** What the engine threw, as a sentence: the first of its diagnostics, or what a failure says of itself. */
export function sentenceOf(error: unknown): string {
  if (typeof error !== "string") return error instanceof Error ? error.message : String(error);
  const [first] = JSON.parse(error) as Diagnostic[];
  return first ? `${first.path} ${first.reason}`.trim() : "The engine refused it without a reason.";
}
