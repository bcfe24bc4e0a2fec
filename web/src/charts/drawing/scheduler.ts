/**
 * One animation frame for all drawings: a drawing asked for many times between two frames is done once. Those that do
 * not fit into a frame's time wait for the next, and none begins while the pixels of earlier ones are being made.
 */

/** Time that the drawings of a frame may take together, in milliseconds. */
const BUDGET_MS = 8;

const wanted = new Set<() => void>();
let frame = 0;
let held = false;

function run() {
  frame = 0;
  if (held) return;
  const began = performance.now();
  for (const draw of wanted) {
    wanted.delete(draw);
    draw();
    if (performance.now() - began > BUDGET_MS) break;
  }
  plan();
}

function plan() {
  if (frame === 0 && wanted.size > 0 && !held) frame = requestAnimationFrame(run);
}

/** Draws in the next frame. The same function counts once. */
export function requestDraw(draw: () => void): void {
  wanted.add(draw);
  plan();
}

/** Forgets a drawing whose canvas is gone. */
export function cancelDraw(draw: () => void): void {
  wanted.delete(draw);
}

/** Whether drawings wait because pixels are being made elsewhere. */
export function holdDrawings(hold: boolean): void {
  held = hold;
  plan();
}
