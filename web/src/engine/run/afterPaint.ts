/** Drawing that takes longer than this, in milliseconds, is followed by as long a rest. */
const LIGHT_MS = 8;

/**
 * Calls back when what was just drawn is on the screen, and after a rest where that took long: on a slow machine the
 * page stays answerable and shows fewer frames. At once where nothing is drawn.
 */
export function afterPaint(action: () => void): void {
  if (typeof requestAnimationFrame === "undefined" || document.hidden) {
    action();
    return;
  }
  requestAnimationFrame(() => {
    const began = performance.now();
    setTimeout(() => {
      const tookMs = performance.now() - began;
      if (tookMs > LIGHT_MS) setTimeout(action, tookMs);
      else action();
    });
  });
}
