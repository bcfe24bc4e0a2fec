import { readFileSync } from "node:fs";
import { expect, type Page, test } from "@playwright/test";
import { asFastAsPossible, digest, ended, openThreeWriters, threeWriters } from "./explorer";

/** The text of the file that something hands over, and its name. */
async function handedOver(page: Page, act: () => Promise<void>): Promise<{ name: string; text: string }> {
  const coming = page.waitForEvent("download");
  await act();
  const download = await coming;
  return { name: download.suggestedFilename(), text: readFileSync(await download.path(), "utf8") };
}

test("a run is handed over as CSV from Share and as JSON from the palette", async ({ page }) => {
  await openThreeWriters(page);
  await asFastAsPossible(page);
  await ended(page);
  await page.getByRole("button", { name: "Share", exact: true }).click();
  const csv = await handedOver(page, () => page.getByRole("button", { name: "Run as CSV" }).click());
  expect(csv.name).toMatch(/^three-writers-.*-run-[0-9a-f]{8}\.csv$/);
  const [title, stamp, headers, ...rows] = csv.text.trimEnd().split("\n");
  expect(title).toMatch(/^# Samples up to .* ms$/);
  expect(stamp).toContain(`seed ${threeWriters.seed}; QoScope engine`);
  expect(headers).toMatch(/^timeUs,.*goodputGbps\.High.*goodputGbps\.Low/);
  const [first = 0, second = 0] = rows.map((row) => Number(row.split(",")[0]));
  const last = Number(rows.at(-1)?.split(",")[0]);
  expect(last).toBeLessThanOrEqual(threeWriters.durationUs);
  expect(last).toBeGreaterThan(threeWriters.durationUs - (second - first));
  await page.keyboard.press("Escape");

  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: /^Find an action/ }).fill("run as json");
  const json = await handedOver(page, () => page.keyboard.press("Enter"));
  const summary = JSON.parse(json.text) as { digest: string; seed: number; classes: { name: string }[] };
  expect(summary.digest).toBe(await digest(page));
  expect(summary.seed).toBe(threeWriters.seed);
  expect(summary.classes.map(({ name }) => name)).toEqual(["High", "Medium", "Low"]);
});
