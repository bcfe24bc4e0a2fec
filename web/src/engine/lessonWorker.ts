/// <reference lib="webworker" />

import init from "../generated/wasm/qoscope_figures_wasm.js";
import { diagnosticsOf, replyTo } from "./lessonAnswers.ts";
import type { LessonReply, LessonRequest } from "./lessonProtocol.ts";
import { engineReady } from "./module.ts";

/** The worker of one lesson: it reads it, keeps results as they come, tells texts with their numbers, and judges answers. */

const ready = engineReady(init);

self.onmessage = async ({ data }: MessageEvent<LessonRequest>) => {
  const post = (reply: LessonReply): void => self.postMessage(reply);
  try {
    await ready;
  } catch (error) {
    post({ id: data.id, diagnostics: diagnosticsOf(error) });
    return;
  }
  post(replyTo(data));
};
