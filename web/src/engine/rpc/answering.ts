/// <reference lib="webworker" />

import type { Diagnostic } from "../../scenario/types.ts";
import type { AskReply, AskRequest } from "./asking.ts";
import { engineReady } from "./module.ts";

/** Answers the questions of a page in this worker, once the engine is there, which `init` makes. */
export function answerAll<Q extends object>(init: Parameters<typeof engineReady>[0], questions: Q): void {
  const ready = engineReady(init);
  self.onmessage = async ({ data }: MessageEvent<AskRequest>) => {
    self.postMessage(await replyTo(data, questions, ready));
  };
}

/** The reply to a question. */
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
    // What the engine throws is JSON.
    if (typeof error === "string") return { id, diagnostics: JSON.parse(error) as Diagnostic[] };
    return { id, failure: error instanceof Error ? error.message : String(error) };
  }
}
