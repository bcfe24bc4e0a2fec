import { describe, expect, it } from "vitest";
import { eventOf, eventText } from "./events.ts";

const name = (node: number) => `h${node}`;

describe("an event", () => {
  it("is read as the engine tells it", () => {
    expect(eventOf(new Float64Array([2_000_001, 0, 4, 2, 7]))).toEqual({
      us: 2.000001,
      happenings: [
        { what: "packet", node: 4 },
        { what: "timer", node: 7 },
      ],
    });
    expect(eventOf(new Float64Array())).toBeNull();
  });

  it("is said with its nodes, few of them by name", () => {
    const text = (...pairs: number[]) => {
      const event = eventOf([1, ...pairs]);
      return event && eventText(event, name);
    };
    expect(text(0, 3)).toBe("packet at h3");
    expect(text(0, 3, 1, 5, 0, 4)).toBe("packets at h3 and h4, device of h5");
    expect(text(2, 1, 2, 2, 2, 3, 2, 4)).toBe("timers of h1, h2 and 2 more");
    expect(text(3, 0)).toBe("classes renewed");
  });
});
