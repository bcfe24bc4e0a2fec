import { spawnSync } from "node:child_process";
import { expect, type Page, test } from "@playwright/test";
import { checkedProgram } from "../../scripts/lib/rust.mjs";
import {
  asFastAsPossible,
  digest,
  ended,
  faultsOf,
  openThreeWriters,
  passed,
  presentFigure,
  timeUs,
} from "./explorer";

const CLASSES = ["High", "Medium", "Low"] as const;

/** A figure of each class in the table of present figures, by the title of its column. */
const figures = (page: Page, title: string) =>
  Promise.all(CLASSES.map((name) => presentFigure(page, name, title)));

/** Does what runs the scenario anew, and waits for the end of that run. */
async function restarts(page: Page, act: () => Promise<void>): Promise<void> {
  const root = page.locator("html");
  const before = (await root.getAttribute("data-generation")) ?? "";
  await act();
  await expect(root).not.toHaveAttribute("data-generation", before);
  await ended(page);
}

/** The share of each class in percent, as the mean over the rows of the chart's table from 4 ms on. */
async function meanShares(page: Page): Promise<number[]> {
  await page.getByRole("img", { name: /^Throughput share/ }).focus();
  await page.keyboard.press("t");
  const table = page.getByRole("region", { name: /^Throughput share, table/ });
  const rows = await table
    .locator("tbody tr")
    .evaluateAll((all) =>
      all.map((row) => [...row.children].map((cell) => Number.parseFloat(cell.textContent ?? ""))),
    );
  await page.keyboard.press("Escape");
  const settled = rows.filter(([ms = 0]) => ms > 4);
  // Beside each share stands its target.
  return [1, 3, 5].map((at) => settled.reduce((sum, row) => sum + (row[at] ?? 0), 0) / settled.length);
}

/** Carried rates that stand 3:2:1. */
function expectShares([high = 0, medium = 0, low = 0]: readonly number[]): void {
  expect(high / low).toBeGreaterThan(2.5);
  expect(high / low).toBeLessThan(3.5);
  expect(medium / low).toBeGreaterThan(1.7);
  expect(medium / low).toBeLessThan(2.3);
}

test("without a touch the first scenario runs: its SSD is shared 3:2:1, and High is served first", async ({
  page,
}) => {
  const errors = faultsOf(page);
  await page.goto("./");
  await expect(page).toHaveTitle(/QoScope/);
  await expect(page.getByLabel("Speed, simulated time per second")).toHaveValue("1000");
  await passed(page, 200);
  await asFastAsPossible(page);
  await ended(page);

  expectShares(await meanShares(page));
  const [high = 0, medium = 0, low = 0] = await figures(page, "p99");
  expect(high).toBeLessThan(0.8 * medium);
  expect(medium).toBeLessThan(0.8 * low);
  await expect(page.getByRole("img", { name: /^Throughput share.*target 50\s%/ })).toBeVisible();
  await expect(page.getByRole("rowheader", { name: "Submission queue" })).toBeVisible();
  expect(errors).toEqual([]);
});

test("the first scenario has a switch for its storage and one for its bottleneck, live or before it runs", async ({
  page,
}) => {
  const tried = page.getByRole("group", { name: "What to try" });
  await page.goto("./");
  // Until enough requests are done there is no p99.
  await expect.poll(() => presentFigure(page, "High", "p99")).toBeGreaterThan(0);
  const before = await presentFigure(page, "High", "p99");
  await tried.getByRole("button", { name: "Agnostic storage" }).click();
  await expect(page.locator(".recorded li")).toHaveText([/Treatment of classes.*Agnostic/]);
  await asFastAsPossible(page);
  await ended(page);
  expect(await presentFigure(page, "High", "p99")).toBeGreaterThan(2 * before);
  const [high = 0, medium = 0, low = 0] = await figures(page, "Gb/s");
  expect(high).toBeLessThan(medium);
  expect(medium).toBeLessThan(low);

  await restarts(page, () => page.keyboard.press("Control+z"));
  await expect(tried.getByRole("button", { name: "Agnostic storage" })).toHaveAttribute(
    "aria-pressed",
    "false",
  );
  const slow = tried.getByRole("button", { name: "Network as the bottleneck" });
  await restarts(page, () => slow.click());
  await expect(page.getByLabel("Link rate")).toHaveValue("10");
  const [first = 0, second = 0] = await figures(page, "p99");
  expect(first).toBeLessThan(second);
  const [, middle = 0, last = 0] = await figures(page, "p50");
  expect(middle).toBeLessThan(last);
  await slow.click();
  await expect(page.getByLabel("Link rate")).toHaveValue("100");
});

test("without storage QTCP shares the link 3:2:1", async ({ page }) => {
  await openThreeWriters(page);
  await passed(page, 200);
  await asFastAsPossible(page);
  await ended(page);
  const carried = await figures(page, "Gb/s");
  expect(carried.reduce((sum, gbps) => sum + gbps)).toBeGreaterThan(90);
  expectShares(carried);
});

test("a switch to DCTCP while it runs evens the shares out, and the link repeats it bit for bit", async ({
  page,
  browser,
}, testInfo) => {
  await openThreeWriters(page);
  await passed(page, 500);
  for (const name of ["High", "Medium", "Low"]) {
    await page.getByLabel(`${name}, transport`).selectOption("dctcp");
  }
  await asFastAsPossible(page);
  await ended(page);
  const [high = 0, , low = 0] = await figures(page, "Gb/s");
  expect(high / low).toBeLessThan(1.6);
  const first = await digest(page);

  await page.getByRole("button", { name: "Share", exact: true }).click();
  const link = await page.getByLabel("Link", { exact: true }).inputValue();
  const saving = page.waitForEvent("download");
  await page.getByRole("button", { name: "File", exact: true }).click();
  const file = testInfo.outputPath("shared.json");
  await (await saving).saveAs(file);

  // With reduced motion a run is shown at its end at once.
  const other = await (await browser.newContext({ reducedMotion: "reduce" })).newPage();
  await other.goto(link);
  expect(await digest(other)).toBe(first);

  const { stdout, stderr } = spawnSync(checkedProgram, ["run", file, "--format", "json"], {
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

  // The settings appear panel after panel.
  await expect(page.getByLabel("ECN threshold", { exact: true })).toBeVisible();
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
