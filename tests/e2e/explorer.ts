import { readFileSync } from "node:fs";
import type { Page } from "@playwright/test";
import { expect } from "@playwright/test";
import { decodeFragment, encodeFragment } from "../../web/src/scenario/codec.ts";
import type { Scenario } from "../../web/src/scenario/types.ts";

const PRESETS: Record<string, Scenario> = JSON.parse(
  readFileSync("web/src/generated/scenarios.json", "utf8"),
);

/** A scenario of the menu, by the name of its file. */
export function preset(name: string): Scenario {
  const found = PRESETS[name];
  if (!found) throw new Error(`There is no scenario ${name}.`);
  return found;
}

/** The scenario for what is about the network alone: three classes of writers, no storage device. */
export const threeWriters = preset("three-writers");

/** Opens the page with it. */
export const openThreeWriters = (page: Page) => page.goto(`./${encodeFragment(threeWriters)}`);

/** The same for a tenth of the time, where a test waits for the end of the run and not for what the run shows. */
export const briefWriters: Scenario = { ...threeWriters, durationUs: threeWriters.durationUs / 10 };
export const openBriefWriters = (page: Page) => page.goto(`./${encodeFragment(briefWriters)}`);

/** Part of the name of the first scenario. */
export const FIRST_TITLE = /Readers and writers/;

/** The page says on its root element where the run stands. */
const state = (page: Page) => page.locator("html");

/** Waits until a run has come to its end. */
export const ended = (page: Page) =>
  page.waitForFunction(() => document.documentElement.dataset.runState === "ended", null, {
    timeout: 45_000,
  });

/** The digest of all results of the run, once it stands still. */
export async function digest(page: Page): Promise<string> {
  await expect(state(page)).toHaveAttribute("data-digest", /^[0-9a-f]{16}$/);
  return (await state(page).getAttribute("data-digest")) ?? "";
}

/** Simulated time. */
export const timeUs = async (page: Page) => Number(await state(page).getAttribute("data-time-us"));

/** Waits until the run has passed an instant. */
export const passed = (page: Page, us: number) =>
  page.waitForFunction((us) => Number(document.documentElement.dataset.timeUs ?? 0) > us, us, {
    timeout: 20_000,
  });

export const asFastAsPossible = (page: Page) =>
  page.getByLabel("Speed, simulated time per second").selectOption("Infinity");

/** Opens the only scenario that has some words in it. */
export async function openPreset(page: Page, words: string): Promise<void> {
  await page.keyboard.press("/");
  await expect(page.getByLabel("Find a scenario")).toBeFocused();
  await page.keyboard.type(words);
  await expect(page.locator(".preset")).toHaveCount(1);
  await page.keyboard.press("Enter");
}

/** Opens every fold that there is. */
export const unfold = (page: Page) =>
  page.evaluate(() => {
    for (const fold of document.querySelectorAll("details")) fold.open = true;
  });

/** Drops a file on the page. */
export const dropFile = (page: Page, name: string, content: Buffer | string) =>
  page.evaluate(
    ({ name, base64 }) => {
      const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([bytes], name));
      for (const type of ["dragover", "drop"]) {
        document.body.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }));
      }
    },
    { name, base64: Buffer.from(content).toString("base64") },
  );

/** A figure of a class in the table of present figures, by the title of its column; not-a-number where there is none yet. */
export async function presentFigure(page: Page, name: string, title: string): Promise<number> {
  const now = page.getByRole("region", { name: /^Now/ });
  const titles = await now.getByRole("columnheader").allTextContents();
  const row = now.getByRole("row").filter({ has: page.getByRole("rowheader", { name }) });
  const text = await row
    .getByRole("cell")
    .nth(titles.indexOf(title) - 1)
    .textContent();
  return Number(text?.replace("≈", ""));
}

/** What a class carries at the end of a row of the table of present figures, in Gb/s. */
export const carriedGbps = (page: Page, name: string) => presentFigure(page, name, "Gb/s");

/** Collects what went wrong in the page; empty at the end of a good test. */
export function faultsOf(page: Page): string[] {
  const errors: string[] = [];
  page.on("pageerror", (error) => errors.push(error.message));
  page.on("console", (message) => {
    if (message.type() === "error") errors.push(message.text());
  });
  return errors;
}

/** The scenario that the address holds, as JSON. It follows the page within a moment. */
export async function linkedScenario(page: Page): Promise<string> {
  const decoded = decodeFragment(await page.evaluate(() => location.hash));
  return decoded.kind === "json" ? decoded.json : "";
}
