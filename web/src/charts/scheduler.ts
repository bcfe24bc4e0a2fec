/** One animation frame for all drawings: a drawing asked for many times between two frames is done once. */

const wanted = new Set<() => void>();
let frame = 0;

function run() {
  frame = 0;
  const drawings = [...wanted];
  wanted.clear();
  for (const draw of drawings) draw();
}

/** Draws in the next frame. The same function counts once. */
export function requestDraw(draw: () => void): void {
  wanted.add(draw);
  if (frame === 0) frame = requestAnimationFrame(run);
}

/** Forgets a drawing whose canvas is gone. */
export function cancelDraw(draw: () => void): void {
  wanted.delete(draw);
}
