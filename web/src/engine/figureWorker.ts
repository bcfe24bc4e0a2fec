/// <reference lib="webworker" />

import init, { Reproduction } from "../generated/wasm/qoscope_figures_wasm.js";
import type { FigureReply, FigureRequest } from "./figureProtocol.ts";
import { engineReady } from "./module.ts";
import { sentenceOf } from "./thrown.ts";

/** A worker that holds one figure: says which runs it needs, and what follows from their results. */

const ready = engineReady(init);
let figure: Reproduction | null = null;
let answered: Promise<void> = Promise.resolve();

self.onmessage = ({ data }: MessageEvent<FigureRequest>) => {
  answered = answered.then(async () => {
    let reply: FigureReply;
    try {
      await ready;
      reply = { answer: answerTo(data) };
    } catch (error) {
      reply = { failure: sentenceOf(error) };
    }
    self.postMessage(reply);
  });
};

function answerTo(request: FigureRequest): string | null {
  if (request.ask === "open") {
    figure = new Reproduction(request.figure);
    return null;
  }
  if (!figure) throw new Error("No figure is open.");
  switch (request.ask) {
    case "needs":
      return figure.needs();
    case "models":
      return figure.models();
    case "scenarios":
      return figure.scenarios(request.run, request.seed, request.scenario);
    case "put":
      figure.put(request.run, request.seed, request.summaries);
      return null;
    case "model":
      figure.model(request.name, request.scenario);
      return null;
    case "rows":
      return figure.rows();
    case "digest":
      return figure.digest() ?? null;
  }
}
