/** Messages between the page and the worker that holds a figure: one question at a time has one answer, by its number. */

export type FigureQuestion =
  /** The figure's file as text: the first question. */
  | { readonly kind: "open"; readonly json: string }
  | { readonly kind: "needs" }
  | { readonly kind: "models" }
  /** `scenario`: the document that the run names, as text. */
  | { readonly kind: "scenarios"; readonly run: string; readonly seed: number; readonly scenario: string }
  /** `summaries`: a list as text. */
  | { readonly kind: "put"; readonly run: string; readonly seed: number; readonly summaries: string }
  | { readonly kind: "model"; readonly name: string; readonly scenario: string | undefined }
  | { readonly kind: "rows" }
  | { readonly kind: "digest" };

export type FigureRequest = FigureQuestion & { readonly number: number };

/** `value`: what the engine answers, parsed; `sentence`: why it does not. */
export type FigureReply =
  | { readonly number: number; readonly ok: true; readonly value: unknown }
  | { readonly number: number; readonly ok: false; readonly sentence: string };
