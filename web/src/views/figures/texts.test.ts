import { expect, it } from "vitest";
import { readShort } from "../shortLinks.ts";
import { figuresView } from "./figuresView.ts";
import { aboutTime, withMinus } from "./texts.ts";

it.each([
  [10, "about 1 s"],
  [8_100, "about 9 s"],
  [89_000, "about 89 s"],
  [100_000, "about 2 min"],
  [4_800_000, "about 80 min"],
  [6_000_000, "about 1 h 40 min"],
])("%d ms are %s", (ms, text) => {
  expect(aboutTime(ms)).toBe(text);
});

it("numbers have a true minus, ranges and words none", () => {
  expect(withMinus("-66 ± 7")).toBe("−66 ± 7");
  expect(withMinus("at least -5 (-3 to 4)")).toBe("at least −5 (−3 to 4)");
  expect(withMinus("17-98 blocks, ns-3")).toBe("17-98 blocks, ns-3");
});

it.each([
  ["#figure=paper1-fig12a", { figure: "paper1-fig12a" }],
  ["#figures", { paper: "", verdict: "all", search: "" }],
  [
    "#figures&paper=Paper%201&verdict=not&search=even%20shares",
    { paper: "Paper 1", verdict: "not", search: "even shares" },
  ],
  ["#figures&verdict=nonsense", { paper: "", verdict: "all", search: "" }],
])("the link %s opens what it says, and is written so", (fragment, state) => {
  const reached = readShort([figuresView], fragment);
  expect(reached).toEqual({ view: figuresView, state });
  const whole = { figure: "", paper: "", verdict: "all", search: "", ...state } as const;
  const written = figuresView.short?.write(whole as Parameters<typeof figuresView.short.write>[0]);
  if (!fragment.includes("nonsense")) expect(`#${written}`).toBe(fragment);
});
