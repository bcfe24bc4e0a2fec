/// <reference lib="webworker" />

import init, { Reproduction } from "../generated/wasm/qoscope_wasm.js";
import type { FigureQuestion, FigureReply, FigureRequest } from "./figureProtocol.ts";
import { engineReady } from "./module.ts";
import { reasonsOf } from "./networkFiles.ts";

/** The worker that holds one figure, from its file to the digest of its results; it is ended with that. */

const ready = engineReady(init);
let figure: Reproduction | null = null;

self.onmessage = async ({ data }: MessageEvent<FigureRequest>) => {
  self.postMessage(await reply(data));
};

async function reply({ number, ...question }: FigureRequest): Promise<FigureReply> {
  try {
    await ready;
    return { number, ok: true, value: answer(question) };
  } catch (error) {
    return { number, ok: false, sentence: sentenceOf(error) };
  }
}

function answer(question: FigureQuestion): unknown {
  if (question.kind === "open") {
    figure = new Reproduction(question.json);
    return null;
  }
  if (!figure) throw new Error("There is no figure.");
  switch (question.kind) {
    case "needs":
      return JSON.parse(figure.needs());
    case "models":
      return JSON.parse(figure.models());
    case "scenarios":
      return JSON.parse(figure.scenarios(question.run, question.seed, question.scenario));
    case "put":
      figure.put(question.run, question.seed, question.summaries);
      return null;
    case "model":
      figure.model(question.name, question.scenario);
      return null;
    case "rows":
      return JSON.parse(figure.rows());
    case "digest":
      return figure.digest() ?? null;
  }
}

/** The engine throws lists of diagnostics as text; anything else is a failure. */
const sentenceOf = (error: unknown): string =>
  typeof error === "string" ? reasonsOf(error).join(" ") : `The engine failed: ${error}.`;
