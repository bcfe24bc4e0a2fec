import { spawnSync } from "node:child_process";
import { expect, test } from "@playwright/test";
import { nativeProgram } from "../../scripts/lib/rust.mjs";
import { asFastAsPossible, carriedGbps, digest, ended, faultsOf, passed, timeUs } from "./explorer";

test("without a touch the first scenario runs, and QTCP shares the link 3:2:1", async ({ page }) => {
  const errors = faultsOf(page);
  await page.goto("./");
  await expect(page).toHaveTitle(/QoScope/);
  await passed(page, 200);
  await asFastAsPossible(page);
  await ended(page);

  const [high, medium, low] = [
    await carriedGbps(page, "High"),
    await carriedGbps(page, "Medium"),
    await carriedGbps(page, "Low"),
  ];
  expect(high + medium + low).toBeGreaterThan(90);
  expect(high / low).toBeGreaterThan(2.5);
  expect(high / low).toBeLessThan(3.5);
  expect(medium / low).toBeGreaterThan(1.7);
  expect(medium / low).toBeLessThan(2.3);
  expect(errors).toEqual([]);
});

test("a switch to DCTCP while it runs evens the shares out, and the link repeats it bit for bit", async ({
  page,
  browser,
}, testInfo) => {
  await page.goto("./");
  await passed(page, 500);
  for (const name of ["High", "Medium", "Low"]) {
    await page.getByLabel(`${name}, transport`).selectOption("dctcp");
  }
  await asFastAsPossible(page);
  await ended(page);
  const [high, low] = [await carriedGbps(page, "High"), await carriedGbps(page, "Low")];
  expect(high / low).toBeLessThan(1.6);
  const first = await digest(page);

  await page.getByRole("button", { name: "Share" }).click();
  const link = await page.getByLabel("Link", { exact: true }).inputValue();
  const saving = page.waitForEvent("download");
  await page.getByRole("button", { name: "File", exact: true }).click();
  const file = testInfo.outputPath("shared.json");
  await (await saving).saveAs(file);

  // With reduced motion a run is shown at its end at once.
  const other = await (await browser.newContext({ reducedMotion: "reduce" })).newPage();
  await other.goto(link);
  expect(await digest(other)).toBe(first);

  const { stdout, stderr } = spawnSync(nativeProgram, ["run", file, "--format", "json"], {
    encoding: "utf8",
  });
  expect(stdout, stderr).not.toBe("");
  expect(JSON.parse(stdout).digest).toBe(first);
});

test("the keyboard alone pauses, steps one round trip, changes K and runs again", async ({ page }) => {
  await page.goto("./");
  await passed(page, 100);
  await page.keyboard.press("Space");
  await expect(page.getByRole("button", { name: "Play" })).toBeVisible();
  const paused = await timeUs(page);
  await page.keyboard.press(".");
  await passed(page, paused);

  await page.keyboard.press("k");
  await expect(page.getByLabel("ECN threshold", { exact: true })).toBeFocused();
  await page.keyboard.type("40");
  await page.keyboard.press("Enter");
  await expect(page.getByLabel("ECN threshold", { exact: true })).toHaveValue("40");
  await expect.poll(() => page.evaluate(() => location.hash)).not.toBe("");

  await page.keyboard.press("Escape");
  await page.getByRole("slider", { name: "Position in the run" }).focus();
  await page.keyboard.press("End");
  await ended(page);
});

test("a link that is broken says so and offers a way on", async ({ page }) => {
  await page.goto("./#1.this-is-no-scenario");
  await expect(page.getByRole("main")).toContainText(/link/i);
  await expect(page.getByRole("button", { name: "Paste the full link" })).toBeVisible();
});
