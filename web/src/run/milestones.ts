import { figure } from "./read.ts";
import type { RunView } from "./types.ts";

/** When every class that has a target had converged; null before, or when one has left its band again. */
export function allConvergedUs(run: RunView): number | null {
  const steered = run.classes.flatMap((_, i) =>
    Number.isFinite(figure(run, i, "qualityFactor")) ? [i] : [],
  );
  const instants = steered.map((i) => figure(run, i, "convergedAtUs"));
  return instants.length > 0 && instants.every(Number.isFinite) ? Math.max(...instants) : null;
}
