/// <reference lib="webworker" />

import type { Diagnostic } from "../scenario/types.ts";
import type { AskReply, AskRequest } from "./asking.ts";
import { engineReady } from "./module.ts";

/** Answers the questions of a page in this worker, once the engine is there, which `init` makes. */
export function answerAll<Q extends object>(init: Parameters<typeof engineReady>[0], questions: Q): void {
  const ready = engineReady(init);
  self.onmessage = async ({ data }: MessageEvent<AskRequest>) => {
    self.postMessage(await replyTo(data, questions, ready));
  };
}

/** The answer to a question, or what is wrong with it. */
export async function replyTo<Q extends object>(
  { id, ask, of }: AskRequest,
  questions: Q,
  ready?: Promise<unknown>,
): Promise<AskReply> {
  try {
    await ready;
    const asked = questions[ask as keyof Q] as (...of: readonly unknown[]) => unknown;
    return { id, answer: await asked(...of) };
  } catch (error) {
    return { id, diagnostics: diagnosticsOf(error) };
  }
}

/** What the engine throws is JSON. */
function diagnosticsOf(error: unknown): readonly Diagnostic[] {
  if (typeof error === "string") return JSON.parse(error) as Diagnostic[];
  const reason = error instanceof Error ? error.message : String(error);
  return [{ path: "", reason, hint: "Open it again.", severity: "error" }];
}
