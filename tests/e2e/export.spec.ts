import { readFileSync } from "node:fs";
import { expect, type Page, test } from "@playwright/test";
import { parquetMetadata, parquetReadObjects } from "hyparquet";
import { asFastAsPossible, briefWriters, digest, ended, faultsOf, openBriefWriters } from "./explorer";

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

/** The file that something hands over, its text, and its name. */
async function handedOver(page: Page, act: () => Promise<void>) {
  const coming = page.waitForEvent("download");
  await act();
  const download = await coming;
  const file = readFileSync(await download.path());
  return { name: download.suggestedFilename(), file, text: file.toString() };
}

test("a run is handed over as CSV from Share and as JSON from the palette", async ({ page }) => {
  await openBriefWriters(page);
  await asFastAsPossible(page);
  await ended(page);
  await button(page, "Share").click();
  const csv = await handedOver(page, () => button(page, "Run as CSV").click());
  expect(csv.name).toMatch(/^three-writers-.*-run-[0-9a-f]{8}\.csv$/);
  const [title, stamp, headers, ...rows] = csv.text.trimEnd().split("\n");
  expect(title).toMatch(/^# Samples up to .* ms$/);
  expect(stamp).toContain(`seed ${briefWriters.seed}; QoScope engine`);
  expect(headers).toMatch(/^timeUs,.*goodputGbps\.High.*goodputGbps\.Low/);
  const [first = 0, second = 0] = rows.map((row) => Number(row.split(",")[0]));
  const last = Number(rows.at(-1)?.split(",")[0]);
  expect(last).toBeLessThanOrEqual(briefWriters.durationUs);
  expect(last).toBeGreaterThan(briefWriters.durationUs - (second - first));
  await page.keyboard.press("Escape");

  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: /^Find an action/ }).fill("run as json");
  const json = await handedOver(page, () => page.keyboard.press("Enter"));
  const summary = JSON.parse(json.text) as { digest: string; seed: number; classes: { name: string }[] };
  expect(summary.digest).toBe(await digest(page));
  expect(summary.seed).toBe(briefWriters.seed);
  expect(summary.classes.map(({ name }) => name)).toEqual(["High", "Medium", "Low"]);
});

test("Parquet has the samples of the CSV with every digit, from Share and from the palette", async ({
  page,
}) => {
  const errors = faultsOf(page);
  await openBriefWriters(page);
  await asFastAsPossible(page);
  await ended(page);
  await button(page, "Share").click();
  const { text } = await handedOver(page, () => button(page, "Run as CSV").click());
  const { name, file } = await handedOver(page, () => button(page, "Run as Parquet").click());
  expect(name).toMatch(/^three-writers-.*-run-[0-9a-f]{8}\.parquet$/);
  const buffer = new Uint8Array(file).buffer;
  const [, stamp, headers, ...lines] = text.trimEnd().split("\n");
  const rows = await parquetReadObjects({ file: buffer });
  expect(Object.keys(rows[0] ?? {}).join()).toBe(headers);
  expect(rows.map((row) => Object.values(row).map(nineDigits).join())).toEqual(lines);
  const told = new Map(parquetMetadata(buffer).key_value_metadata?.map(({ key, value }) => [key, value]));
  expect(stamp).toBe(
    `# ${told.get("scenario")}; scenario hash ${told.get("hash")}; seed ${told.get("seed")}; QoScope engine ${told.get("engineVersion")}`,
  );
  await page.keyboard.press("Escape");

  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: /^Find an action/ }).fill("run as parquet");
  const again = await handedOver(page, () => page.keyboard.press("Enter"));
  expect(again.file.equals(file)).toBe(true);
  expect(errors).toEqual([]);
});

/** A value as a row of CSV has it. */
const nineDigits = (value: number | null) => (value === null ? "" : String(Number(value.toPrecision(9))));
