import type { Diagnostic } from "../../scenario/types.ts";

/** A question to a worker, by its name, with its number. */
export interface AskRequest {
  readonly id: number;
  readonly ask: string;
  readonly of: readonly unknown[];
}

/** The answer to the question of that number, or what the engine has against it, or how it failed. */
export type AskReply =
  | { readonly id: number; readonly answer: unknown }
  | { readonly id: number; readonly diagnostics: readonly Diagnostic[] }
  | { readonly id: number; readonly failure: string };

/** Something that the engine does not accept, with all that is wrong. */
export class EngineRefused extends Error {
  constructor(readonly diagnostics: readonly Diagnostic[]) {
    super(
      diagnostics.map(({ path, reason, hint }) => `${path ? `${path}: ` : ""}${reason}. ${hint}`).join("\n"),
    );
    this.name = "EngineRefused";
  }
}

/** Why a file that the engine was given cannot be read: what it has against it, or how that failed. */
export function unreadable(file: string, error: unknown): readonly Diagnostic[] {
  if (error instanceof EngineRefused) return error.diagnostics;
  const reason = `could not be read: ${error instanceof Error ? error.message : String(error)}`;
  return [{ path: file, reason, hint: "Give it again.", severity: "error" }];
}

/** What is said where the script of a worker, or the engine in it, does not come. */
const UNFETCHED = "The engine could not be fetched. Try again.";

type Asked<Q, K extends keyof Q> = Q[K] extends (...of: infer P) => infer R
  ? { readonly of: P; readonly answer: Awaited<R> }
  : never;

/** The page's end of a worker that is asked questions: those of `Q`, which its other end answers (`answering.ts`). */
export class Asking<Q> {
  private readonly waiting = new Map<
    number,
    { readonly resolve: (answer: unknown) => void; readonly reject: (error: Error) => void }
  >();
  private last = 0;
  /** Why there are no answers any more. */
  private over: Error | null = null;

  constructor(private readonly worker: Worker) {
    worker.onmessage = ({ data }: MessageEvent<AskReply>) => {
      const asked = this.waiting.get(data.id);
      this.waiting.delete(data.id);
      if ("answer" in data) asked?.resolve(data.answer);
      else if ("diagnostics" in data) asked?.reject(new EngineRefused(data.diagnostics));
      else asked?.reject(new Error(data.failure));
    };
    worker.onerror = (event) => {
      event.preventDefault();
      // A script that does not come is an error without words.
      this.end(new Error(event.message || UNFETCHED));
    };
  }

  ask<K extends keyof Q & string>(ask: K, ...of: Asked<Q, K>["of"]): Promise<Asked<Q, K>["answer"]> {
    return new Promise<unknown>((resolve, reject) => {
      if (this.over) {
        reject(this.over);
        return;
      }
      const id = ++this.last;
      this.waiting.set(id, { resolve, reject });
      this.worker.postMessage({ id, ask, of } satisfies AskRequest);
    }) as Promise<Asked<Q, K>["answer"]>;
  }

  /** Ends the worker; who still waits, or asks after that, hears why. */
  end(error: Error): void {
    this.over ??= error;
    this.worker.terminate();
    for (const { reject } of this.waiting.values()) reject(error);
    this.waiting.clear();
  }
}
