/**
 * Messages between the page and the worker that holds a figure: every request is answered once, in their order. Documents, results
 * and answers are JSON.
 */
export type FigureRequest =
  | { readonly ask: "open"; readonly figure: string }
  | { readonly ask: "needs" | "models" | "rows" | "digest" }
  | { readonly ask: "scenarios"; readonly run: string; readonly seed: number; readonly scenario: string }
  | { readonly ask: "put"; readonly run: string; readonly seed: number; readonly summaries: string }
  | { readonly ask: "model"; readonly name: string; readonly scenario?: string };

export type FigureReply = { readonly answer: string | null } | { readonly failure: string };
