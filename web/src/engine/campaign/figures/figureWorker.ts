/// <reference lib="webworker" />

import init, { Reproduction } from "../../../generated/wasm/qoscope_figures_wasm.js";
import { serve } from "../../rpc/serve.ts";
import type { FigureQuestions } from "./figureProtocol.ts";

/** A worker that holds one figure: says which runs it needs, and what follows from their results. */

/** Null before it is asked for. */
let figure: Reproduction | null = null;

function taken(): Reproduction {
  if (!figure) throw new Error("No figure is open");
  return figure;
}

serve(init, {
  open(json) {
    figure = new Reproduction(json);
    return { needs: JSON.parse(figure.needs()), models: JSON.parse(figure.models()) };
  },
  scenarios: (run, seed, scenario) => JSON.parse(taken().scenarios(run, seed, scenario)),
  put(run, seed, summaries) {
    taken().put(run, seed, JSON.stringify(summaries));
    return null;
  },
  model(name, scenario) {
    taken().model(name, scenario);
    return null;
  },
  rows: () => JSON.parse(taken().rows()),
  digest: () => taken().digest() ?? null,
} satisfies FigureQuestions);
