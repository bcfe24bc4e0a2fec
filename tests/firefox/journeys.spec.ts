import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { encodeFragment } from "../../web/src/scenario/codec.ts";
import { Firefox, type Tab } from "./firefox.ts";

/** What a visitor with Firefox does. The engine is the one of every browser, so its digests are those of the native program. */

const json = (file: string) => JSON.parse(readFileSync(file, "utf8"));
const threeWriters = encodeFragment(json("scenarios/presets/three-writers.json"));
const NATIVE = json("wasm-core/crates/figures/tests/digests.json").scenarios["three-writers"];

const page = inject("page");
let firefox: Firefox;

beforeAll(async () => {
  firefox = await Firefox.start(inject("firefox"));
});
afterAll(() => firefox?.close());

/** The digest of the run once that has come to its end. */
const digestAtEnd = (tab: Tab) =>
  tab.until(() => {
    const { runState, digest } = document.documentElement.dataset;
    return runState === "ended" && digest;
  });

async function asFastAsPossible(tab: Tab): Promise<void> {
  const speed = () =>
    tab.until(() => document.querySelector<HTMLSelectElement>("select[aria-label^='Speed']")?.value);
  while ((await speed()) !== "Infinity") await tab.key("]");
}

it("opens with the first scenario, runs it, and draws its charts", async () => {
  const tab = await firefox.open(page);
  await tab.until(() => Number(document.documentElement.dataset.timeUs) > 1000);
  expect(await tab.evaluate(() => document.title)).toMatch(/QoScope/);
  await tab.until(() => document.querySelectorAll(".chart-picture .chart-text text").length > 10);
  await tab.key(" ");
  await tab.until(() => document.documentElement.dataset.runState === "paused");
  expect(tab.faults).toEqual([]);
});

it("runs to the result that the native program has, answers a change, and opens its link again", async () => {
  const tab = await firefox.open(`${page}${threeWriters}`);
  await asFastAsPossible(tab);
  expect(await digestAtEnd(tab)).toBe(NATIVE);

  const before = await tab.evaluate(() => document.documentElement.dataset.generation ?? "");
  await tab.key("k");
  await tab.until(() => document.activeElement?.getAttribute("aria-label")?.startsWith("ECN threshold"));
  await tab.key("ArrowUp");
  await tab.until((old) => document.documentElement.dataset.generation !== old, before);
  const changed = await digestAtEnd(tab);
  expect(changed).not.toBe(NATIVE);

  await tab.press("button", "Share");
  const link = await tab.until(() => document.querySelector<HTMLInputElement>(".share-link input")?.value);
  const other = await firefox.open(link);
  await asFastAsPossible(other);
  expect(await digestAtEnd(other)).toBe(changed);
  expect([...tab.faults, ...other.faults]).toEqual([]);
});

it("shows every view", async () => {
  const tab = await firefox.open(page);
  for (const view of ["Compare", "Storage", "Plan", "Explore"]) {
    await tab.press("button", view);
    await tab.until((title) => document.querySelector("[aria-current=page]")?.textContent === title, view);
    await tab.until(() => document.querySelector("main")?.checkVisibility());
  }
  expect(tab.faults).toEqual([]);
});
