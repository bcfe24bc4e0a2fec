import { expect, it } from "vitest";
import { blocksOf } from "./LiveView.tsx";
import { LESSONS } from "./lessons.ts";

/** What the view draws that is no chart over time: the engine refuses near misses of these, and knows no charts. */
const DRAWN = ["charts", "fabric", "tail", "stages", "deadlines", "now", "device", "arbitration", "picture"];

it("every lesson asks for what the page can show", () => {
  for (const { id, steps } of LESSONS) {
    const asked = steps.flatMap(({ show }) => blocksOf(show ?? []));
    expect(
      asked.map(({ of }) => of).filter((of) => !DRAWN.includes(of)),
      id,
    ).toEqual([]);
  }
});

it("charts over time that follow each other stand together, and what is misspelt alone", () => {
  expect(blocksOf(["fabric", "throughput", "queue", "tail", "thruput"])).toEqual([
    { of: "fabric" },
    { of: "charts", names: ["throughput", "queue"] },
    { of: "tail" },
    { of: "thruput" },
  ]);
});
