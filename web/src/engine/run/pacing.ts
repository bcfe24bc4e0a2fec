/** Adapts the number of events per slice so that a slice takes about as long as wanted. */

/** Wall time of a slice between two looks at the mailbox. */
export const SLICE_MS = 10;

const MIN_EVENTS = 1_000;
const MAX_EVENTS = 50_000_000;

/** Events to allow in the next slice, given how long `events` took. Moves by at most a factor of four. */
export function nextBudget(budget: number, elapsedMs: number, usedUp: boolean): number {
  if (!usedUp && elapsedMs < SLICE_MS) return budget;
  const factor = Math.min(4, Math.max(0.25, SLICE_MS / Math.max(elapsedMs, 0.1)));
  return Math.round(Math.min(MAX_EVENTS, Math.max(MIN_EVENTS, budget * factor)));
}

/** Moving rate of work per second of computing: forgets over about half a second. */
export class RateMeter {
  private amount = 0;
  private busyMs = 0;

  add(amount: number, elapsedMs: number): void {
    const keep = Math.exp(-elapsedMs / 500);
    this.amount = this.amount * keep + amount;
    this.busyMs = this.busyMs * keep + elapsedMs;
  }

  /** Per second; NaN before there is enough to tell. */
  get perSecond(): number {
    return this.busyMs > 1 ? (this.amount / this.busyMs) * 1000 : Number.NaN;
  }
}
