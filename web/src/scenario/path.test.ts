import { describe, expect, it } from "vitest";
import { getPath, parsePath, setPath } from "./path.ts";

describe("field paths", () => {
  const scenario = { switch: { k: 1 }, classes: [{ ratio: 3 }, { ratio: 2 }] };

  it("reads names and indices", () => {
    expect(parsePath("classes[1].ratio")).toEqual(["classes", 1, "ratio"]);
    expect(getPath(scenario, "classes[1].ratio")).toBe(2);
    expect(getPath(scenario, "classes[7].ratio")).toBeUndefined();
  });

  it("copies only what it changes", () => {
    const changed = setPath(scenario, "classes[1].ratio", 5);
    expect(changed.classes.map((item) => item.ratio)).toEqual([3, 5]);
    expect(changed.switch).toBe(scenario.switch);
    expect(scenario.classes[1]?.ratio).toBe(2);
  });

  it("makes sections that are left out and removes on null", () => {
    expect(setPath({}, "switch.bufferBytes", 9000)).toEqual({ switch: { bufferBytes: 9000 } });
    expect(setPath({ switch: { bufferBytes: 9000 } }, "switch.bufferBytes", null)).toEqual({ switch: {} });
  });
});
