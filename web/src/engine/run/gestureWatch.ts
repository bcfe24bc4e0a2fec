/** Keys pressed within this time of each other are one gesture. */
const BURST_MS = 300;

/** Where pointers and keys are heard: the window. */
type Input = Pick<EventTarget, "addEventListener">;

/**
 * Tells when a gesture is over: a drag when the pointer is let go, a burst of keys a moment after the last one. Whoever
 * takes values from a slider or a field need not say so.
 */
export class GestureWatch {
  private readonly pointers = new Set<number>();
  private key = false;
  private active = false;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly onEnd: () => void,
    input: Input | null = typeof window === "undefined" ? null : window,
  ) {
    const on = <E extends Event>(type: string, handle: (event: E) => void) =>
      input?.addEventListener(type, handle as (event: Event) => void, { capture: true, passive: true });
    const release = ({ pointerId }: PointerEvent) => {
      this.pointers.delete(pointerId);
      this.settle(0);
    };
    on<PointerEvent>("pointerdown", ({ pointerId }) => {
      // Who takes the pointer has done with the keys.
      if (this.pointers.size === 0) this.finish();
      this.pointers.add(pointerId);
    });
    on("pointerup", release);
    on("pointercancel", release);
    on("keydown", () => {
      this.key = true;
    });
    on("keyup", () => {
      this.key = false;
      this.settle(BURST_MS);
    });
    on("blur", (event) => {
      if (event.target !== input) return;
      this.pointers.clear();
      this.key = false;
      this.settle(0);
    });
  }

  /** A value was chosen: the gesture begins or goes on. */
  extend(): void {
    this.active = true;
    this.settle(BURST_MS);
  }

  /** The gesture ended in another way. */
  cancel(): void {
    this.active = false;
    clearTimeout(this.timer);
  }

  /** Ends the gesture after a time, unless something is still pressed or another value comes. */
  private settle(afterMs: number): void {
    clearTimeout(this.timer);
    if (!this.active || this.key || this.pointers.size > 0) return;
    this.timer = setTimeout(() => this.finish(), afterMs);
  }

  private finish(): void {
    if (!this.active) return;
    this.cancel();
    this.onEnd();
  }
}
