import { readFileSync } from "node:fs";
import { expect, type Locator, type Page, test } from "@playwright/test";
import { expectAccessible, WINDOWS } from "./accessible";
import { dropFile, faultsOf, linkedScenario } from "./explorer";
import { measuredBy, READS } from "./measuredDrive";

/** What the drive is that is measured: slower flash than the first scenario has, and more of it. */
const DRIVE = { readLsbUs: 42, readCsbUs: 52, readMsbUs: 62, chipsPerChannel: 6 };

const CACHED = readFileSync("wasm-core/crates/interop/tests/fio/cached.json", "utf8");

const side = (page: Page) => page.getByRole("region", { name: "Measurements and fit" });
const results = (page: Page) => page.getByRole("complementary", { name: "Results" });

/** Opens the fit from the panel of the SSD. */
async function openFit(page: Page): Promise<void> {
  await page.goto("./");
  await page.getByRole("navigation", { name: "Views" }).getByRole("button", { name: "Storage" }).click();
  await page.getByRole("button", { name: "Fit to measurements" }).click();
  await expect(page.getByText("Nothing leaves this browser")).toBeVisible();
}

const give = (page: Page, ...files: readonly (readonly [name: string, text: string])[]) =>
  page
    .getByLabel("Files of measurements")
    .setInputFiles(
      files.map(([name, text]) => ({ name, mimeType: "application/json", buffer: Buffer.from(text) })),
    );

/** Fits to means, which takes few runs, and waits for the end. */
async function fitMeans(page: Page): Promise<void> {
  await page.getByRole("radio", { name: "mean", exact: true }).click();
  await page.getByRole("button", { name: "Fit", exact: true }).click();
  await expect(page.getByRole("status").filter({ hasText: /of at most \d+ runs/ })).toBeVisible();
  await expect(page.getByRole("button", { name: "Fit again" })).toBeVisible({ timeout: 110_000 });
}

/** The interval that a row states, as `52.7 ± 6.2` or `48.0 40.0 to 56.0`. */
async function interval(row: Locator): Promise<readonly [low: number, high: number]> {
  const text = (await row.textContent()) ?? "";
  const [, value = NaN, half, low, high] = (
    text.match(/([\d.]+)(?: ± ([\d.]+)| ([\d.]+) to ([\d.]+))/) ?? []
  ).map(Number);
  return half ? [value - half, value + half] : [Number(low), Number(high)];
}

test("a drive is fitted to measurements, kept with its evidence, used on the scenario, and handed on as a file", async ({
  page,
}) => {
  const faults = faultsOf(page);
  await openFit(page);
  await give(page, ["reads.json", await measuredBy(DRIVE, READS)], ["cached.json", CACHED]);
  await expect(side(page)).toContainText("2 files, 4 of 5 jobs");
  await expect(side(page)).toContainText(/job "cached", direct is not set: .*page cache.* Set direct=1/);
  await expect(side(page).getByText("held out")).toHaveCount(1);
  await fitMeans(page);

  // 8 channels of 6 chips: the reads tell how many work at once, and how long each takes.
  const fitted = results(page).getByRole("region", { name: /^Fitted/ });
  await expect(fitted.getByRole("row", { name: /^Effective parallelism/ })).toContainText(
    /4[789]\.\d (±|\d)/,
  );
  await expect(fitted.getByRole("row", { name: /^Page read/ })).toContainText(/5[123]\.\d/);
  for (const [name, truth] of [
    [/^Effective parallelism/, 8 * 6],
    [/^Page read/, 52],
  ] as const) {
    const [low, high] = await interval(fitted.getByRole("row", { name }));
    expect(low).toBeLessThan(truth);
    expect(high).toBeGreaterThan(truth);
  }
  const kept = results(page).getByRole("region", { name: /^Not determined/ });
  await expect(kept.getByRole("row", { name: /^Over-provisioning/ })).toContainText(/Needs random writes/);
  await expect(results(page).getByRole("region", { name: "Verdict" })).toContainText(
    "These jobs match a drive of the model",
  );
  const errors = results(page).getByRole("row", { name: /^Held out 1 job/ });
  await expect(errors).toContainText(/1 job\s*[0-3]\.\d/);

  const jobs = page.getByRole("region", { name: /^Jobs/ });
  await jobs
    .getByRole("row", { name: /^randread-4k 128/ })
    .getByRole("button")
    .click();
  await expect(
    page.getByRole("img", { name: /reads of randread-4k QD128 slower.*p99 .* measured, .* simulated/ }),
  ).toBeVisible();

  await page.getByLabel("Name", { exact: true }).fill("Drive of lab 3");
  await page.getByRole("button", { name: "Save as preset" }).click();
  const drives = results(page).getByRole("listitem").filter({ hasText: "Drive of lab 3" });
  await expect(drives).toContainText(/4 fio jobs, mean error \d+\.\d.%, p99 /);
  const download = page.waitForEvent("download");
  await drives.getByRole("button", { name: "Save Drive of lab 3 as a file" }).click();
  const file = readFileSync(await (await download).path(), "utf8");
  const drive = JSON.parse(file);
  expect(drive).toMatchObject({
    drive: 1,
    name: "Drive of lab 3",
    evidence: { files: [{ file: "reads.json" }] },
  });

  await drives.getByRole("button", { name: "Use" }).click();
  await expect.poll(async () => JSON.parse(await linkedScenario(page)).storage.ssd).toEqual(drive.ssd);
  // What the fit came to stays, though the scenario is another one.
  await expect(page.getByRole("button", { name: "Fit again" })).toBeVisible();
  await page.getByRole("button", { name: "Undo" }).click();
  await expect.poll(async () => JSON.parse(await linkedScenario(page)).storage?.ssd).not.toEqual(drive.ssd);

  // It is a preset of the device, also after the page was closed, and its file brings it back where it was forgotten.
  await page.reload();
  await page.getByRole("button", { name: "Forget Drive of lab 3" }).click();
  await expect(drives).toHaveCount(0);
  await dropFile(page, "lab3.drive.json", file);
  await expect(drives).toContainText("4 fio jobs");
  await page.getByRole("navigation", { name: "Device" }).getByRole("button", { name: "h12" }).click();
  await page.getByLabel("Your drives").selectOption("Drive of lab 3");
  await expect.poll(async () => JSON.parse(await linkedScenario(page)).storage.ssd).toEqual(drive.ssd);
  expect(faults).toEqual([]);
});

test("what cannot be read or used is told with file, job and field, and takes nothing away", async ({
  page,
}) => {
  await openFit(page);
  const whole = await measuredBy(DRIVE, READS.slice(0, 1));
  await give(page, ["whole.json", whole], ["half.json", whole.slice(0, whole.length / 2)]);
  await expect(side(page)).toContainText("2 files");
  await expect(side(page).getByRole("region", { name: "half.json" })).toContainText(/cut off|ends|half/i);
  await give(page, ["old.json", whole.replace("fio-3.33", "fio-2.21")]);
  await expect(side(page).getByRole("region", { name: "old.json" })).toContainText(/2\.21/);
  await give(page, ["failed.json", whole.replace('"error": 0', '"error": 5')]);
  await expect(side(page).getByRole("region", { name: "failed.json" })).toContainText(
    /job "randread-4k", error is 5.*: the job failed/,
  );
  await dropFile(page, "newer.drive.json", '{ "drive": 9, "name": "x", "ssd": {} }');
  await expect(results(page)).toContainText(/newer\.drive\.json was not read: drive: is version 9/);
  await expect(side(page).getByRole("region", { name: "whole.json" })).toContainText("1 job");
  await expect(page.getByRole("button", { name: "Fit", exact: true })).toBeVisible();
});

test("logs of fio over time are drawn, from wherever they are dropped, and say why not where they cannot be", async ({
  page,
}) => {
  const faults = faultsOf(page);
  const log = (name: string) => readFileSync(`wasm-core/crates/interop/tests/fio/${name}`, "utf8");
  await page.goto("./");
  await page.waitForFunction(() => document.documentElement.dataset.runState !== undefined);
  // Outside of the fit its lines could be those of a trace: the name tells them apart.
  await dropFile(page, "mean_clat_hist.1.log", log("mean_clat_hist.1.log"));
  await expect(side(page).getByRole("region", { name: "mean_clat_hist.1.log" })).toContainText(
    /log, [\d.]+ m?s/,
  );
  const over = page.getByRole("region", { name: /^Over time/ });
  await expect(
    over.getByRole("img", {
      name: /^Completion latency over time\. reads, mean: .*; reads, max: .*writes, mean/,
    }),
  ).toBeVisible();
  await give(page, ["mean_bw.1.log", log("mean_bw.1.log")], ["mine.log", log("mean_bw.1.log")]);
  await expect(
    over.getByRole("img", { name: /^Bandwidth over time\. reads, mean: [\d.]+ MB\/s at first/ }),
  ).toBeVisible();
  await expect(side(page).getByRole("region", { name: "mine.log" })).toContainText(
    /does not say by its name .* Leave it the name that fio gave it/,
  );
  // Nothing is fitted to logs alone.
  await expect(page.getByRole("button", { name: "Fit", exact: true })).toHaveCount(0);
  await page.getByRole("button", { name: "Leave out mean_bw.1.log" }).click();
  await expect(over.getByRole("img")).toHaveCount(1);
  expect(faults).toEqual([]);
});

test("a fit can be called off, and fio's file opens it from anywhere", async ({ page }) => {
  await page.goto("./");
  await page.waitForFunction(() => document.documentElement.dataset.runState !== undefined);
  await dropFile(page, "reads.json", await measuredBy(DRIVE, READS));
  await expect(side(page)).toContainText("1 file, 4 jobs");
  await page.getByRole("button", { name: "Fit", exact: true }).click();
  await page.getByRole("button", { name: "Cancel" }).click();
  await expect(page.getByText("Cancelled. The files are kept.")).toBeVisible();
  await page.getByRole("button", { name: "Leave out reads.json" }).click();
  await expect(page.getByText("Nothing leaves this browser")).toBeVisible();
});

for (const [name, width, height] of WINDOWS) {
  test(`the fit is accessible on a ${name}`, { tag: name === "tablet" ? "@full" : [] }, async ({ page }) => {
    await page.setViewportSize({ width, height });
    await page.goto("./");
    await page.waitForFunction(() => document.documentElement.dataset.runState !== undefined);
    await dropFile(page, "reads.json", await measuredBy(DRIVE, READS.slice(0, 2)));
    await fitMeans(page);
    await expectAccessible(page);
  });
}
