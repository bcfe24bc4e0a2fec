// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { TextLayer } from "./textLayer.ts";

describe("texts over a canvas", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  function layer() {
    const root = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    const texts = new TextLayer(root);
    const draw = (text: string, colour: string) => {
      texts.start();
      texts.text({ text, colour }, 0, 0);
      texts.finish(false);
    };
    const shown = () => {
      const span = root.querySelector("tspan");
      return [span?.textContent, span?.getAttribute("fill")];
    };
    return { draw, shown };
  }

  it("changed_digits_wait_for_the_period", () => {
    const { draw, shown } = layer();
    draw("SSD 89 %", "grey");
    draw("SSD 90 %", "grey");
    expect(shown()).toEqual(["SSD 89 %", "grey"]);
    vi.advanceTimersByTime(100);
    expect(shown()).toEqual(["SSD 90 %", "grey"]);
  });

  it("changed_colour_shows_at_once", () => {
    const { draw, shown } = layer();
    draw("SSD 90 %", "grey");
    draw("bottleneck: SSD, 3 waiting", "white");
    expect(shown()).toEqual(["bottleneck: SSD, 3 waiting", "white"]);
  });
});
