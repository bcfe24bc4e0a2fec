import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { GestureWatch } from "./gestureWatch.ts";

const input = () => {
  const target = new EventTarget();
  const fire = (type: string, pointerId = 1) =>
    target.dispatchEvent(Object.assign(new Event(type), { pointerId }));
  return { target, fire };
};

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe("a gesture", () => {
  it("of a pointer is over when the pointer is let go, however long it rested", () => {
    const { target, fire } = input();
    const onEnd = vi.fn();
    const watch = new GestureWatch(onEnd, target);
    fire("pointerdown");
    watch.extend();
    vi.advanceTimersByTime(60_000);
    watch.extend();
    expect(onEnd).not.toHaveBeenCalled();
    fire("pointerup");
    vi.advanceTimersByTime(0);
    expect(onEnd).toHaveBeenCalledTimes(1);
    vi.advanceTimersByTime(60_000);
    expect(onEnd).toHaveBeenCalledTimes(1);
  });

  it("of keys is over a moment after the last one, and not while one repeats", () => {
    const { target, fire } = input();
    const onEnd = vi.fn();
    const watch = new GestureWatch(onEnd, target);
    for (const pause of [100, 100, 700]) {
      fire("keydown");
      watch.extend();
      vi.advanceTimersByTime(pause);
      fire("keyup");
      expect(onEnd).not.toHaveBeenCalled();
    }
    vi.advanceTimersByTime(299);
    expect(onEnd).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(onEnd).toHaveBeenCalledTimes(1);
  });

  it("of keys is over when a drag begins, which is another", () => {
    const { target, fire } = input();
    const onEnd = vi.fn();
    const watch = new GestureWatch(onEnd, target);
    fire("keydown");
    watch.extend();
    fire("keyup");
    fire("pointerdown", 1);
    expect(onEnd).toHaveBeenCalledTimes(1);
    watch.extend();
    fire("pointerdown", 2);
    vi.advanceTimersByTime(60_000);
    expect(onEnd).toHaveBeenCalledTimes(1);
    fire("pointerup", 2);
    fire("pointerup", 1);
    vi.advanceTimersByTime(0);
    expect(onEnd).toHaveBeenCalledTimes(2);
  });

  it("is over when the page loses the pointer or the focus", () => {
    for (const loss of ["pointercancel", "blur"]) {
      const { target, fire } = input();
      const onEnd = vi.fn();
      const watch = new GestureWatch(onEnd, target);
      fire("pointerdown");
      watch.extend();
      fire(loss);
      vi.advanceTimersByTime(0);
      expect(onEnd, loss).toHaveBeenCalledTimes(1);
    }
  });

  it("that was not begun does not end", () => {
    const { target, fire } = input();
    const onEnd = vi.fn();
    new GestureWatch(onEnd, target);
    fire("pointerdown");
    fire("pointerup");
    vi.advanceTimersByTime(1000);
    expect(onEnd).not.toHaveBeenCalled();
  });
});
