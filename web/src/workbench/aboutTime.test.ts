import { expect, it } from "vitest";
import { aboutTime } from "./aboutTime.ts";

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
