import { transferHandlers } from "comlink";
import type { Diagnostic } from "../../scenario/types.ts";

/** A document that the engine refuses, with everything that is wrong in it. */
export class EngineRefused extends Error {
  constructor(readonly diagnostics: readonly Diagnostic[]) {
    super(
      diagnostics.map(({ path, reason, hint }) => `${path ? `${path}: ` : ""}${reason}. ${hint}`).join("\n"),
    );
    this.name = "EngineRefused";
  }
}

/** The script of a worker, or the engine in it, could not be fetched. */
export class Unfetched extends Error {
  constructor() {
    super("The engine could not be fetched. Try again.");
    this.name = "Unfetched";
  }
}

/** A worker ended with an error outside of a call. */
export class WorkerFailed extends Error {}

/** A check took too long. */
export class TimeLimitExceeded extends Error {}

/** The diagnostics of a file that cannot be read: those of the engine, or one for the failure. */
export function unreadable(file: string, error: unknown): readonly Diagnostic[] {
  if (error instanceof EngineRefused) return error.diagnostics;
  const reason = `could not be read: ${error instanceof Error ? error.message : String(error)}`;
  return [{ path: file, reason, hint: "Give it again.", severity: "error" }];
}

/** Why a call failed, in one sentence: the first diagnostic of a refusal, or the message of the error. */
export function sentenceOf(error: unknown): string {
  if (!(error instanceof EngineRefused)) return error instanceof Error ? error.message : String(error);
  const [first] = error.diagnostics;
  return first ? `${first.path} ${first.reason}`.trim() : "The engine refused it without a reason.";
}

/** A thrown value on its way from a worker: one of the errors above, or what Comlink makes of it. */
type Thrown =
  | { readonly refused: readonly Diagnostic[] }
  | { readonly unfetched: true }
  | { readonly other: unknown };

const comlinkErrors = transferHandlers.get("throw");
if (!comlinkErrors) throw new Error("Comlink has no handler of errors");

/** The engine throws diagnostics as JSON; they arrive as `EngineRefused`. */
transferHandlers.set("throw", {
  canHandle: comlinkErrors.canHandle,
  serialize(thrown: { readonly value: unknown }): [Thrown, Transferable[]] {
    const { value } = thrown;
    if (typeof value === "string") return [{ refused: JSON.parse(value) as Diagnostic[] }, []];
    if (value instanceof EngineRefused) return [{ refused: value.diagnostics }, []];
    if (value instanceof Unfetched) return [{ unfetched: true }, []];
    const [other, transferred] = comlinkErrors.serialize(thrown);
    return [{ other }, transferred];
  },
  deserialize(thrown: Thrown): never {
    if ("refused" in thrown) throw new EngineRefused(thrown.refused);
    if ("unfetched" in thrown) throw new Unfetched();
    return comlinkErrors.deserialize(thrown.other) as never;
  },
});
