import { expect, type Page, test } from "@playwright/test";
import {
  asFastAsPossible,
  carriedGbps,
  ended,
  faultsOf,
  openPreset,
  openThreeWriters,
  passed,
} from "./explorer";

/** Opens a row of the table of classes. */
const openClass = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();

/** Entries that the timeline of the run has under the settings. */
const recorded = (page: Page) => page.locator(".recorded li");

test("a class switched to DCQCN while it runs shows its parameters, and others when the preset changes", async ({
  page,
}) => {
  const errors = faultsOf(page);
  await openThreeWriters(page);
  await passed(page, 200);
  await openClass(page, "High");
  const details = page.locator(".class-details");
  await expect(details.getByLabel("Gain", { exact: true })).toBeVisible();
  await expect(details.getByText("DCQCN parameters")).toHaveCount(0);

  await page.getByLabel("High, transport").selectOption("dcqcn");
  await expect(details.getByText("DCQCN parameters")).toBeVisible();
  await expect(details.getByLabel("Rate smoothing")).toHaveCount(0);
  // Its own rate ignores the ratio; the shares of Medium and Low are what the ratios of all leave them.
  await expect(page.getByText(/Ratio has no effect on High/)).toHaveCount(0);

  // Folded away at first; an empty field shows what the preset gives.
  const interval = details.getByLabel("CNP interval", { exact: true });
  await expect(interval).toBeHidden();
  await details.getByText("DCQCN parameters").click();
  await expect(interval).toHaveAttribute("placeholder", "50");
  await details.getByLabel("DCQCN preset").selectOption("hpcc");
  await expect(interval).toHaveAttribute("placeholder", "4");
  await expect(details.getByText(/no flow of the class begins anew/)).toBeVisible();

  await expect(recorded(page)).toHaveText([/High: DCQCN$/, /High: HPCC simulator$/]);
  await asFastAsPossible(page);
  await ended(page);
  expect(errors).toEqual([]);
});

test("pause frames bring their legend, their column and their chart, and go with them", async ({ page }) => {
  const errors = faultsOf(page);
  await openThreeWriters(page);
  await passed(page, 200);
  const legend = page.locator(".pause-legend");
  await expect(legend).toHaveCount(0);
  const menu = page.getByRole("button", { name: "Quality factor, choose what the chart shows" });
  await menu.click();
  await expect(page.getByRole("menuitemradio", { name: /^Paused links/ })).toHaveAttribute(
    "aria-disabled",
    "true",
  );
  await expect(page.getByRole("menuitemradio", { name: /^Paused links/ })).toContainText("no pause frames");
  await page.keyboard.press("Escape");

  await page.getByLabel("Buffering").selectOption("pfc");
  await expect(legend).toHaveText(/^\d+ links? paused$/);
  await expect(recorded(page)).toHaveText([/Shared buffer with pause frames$/]);
  await menu.click();
  await page.getByRole("menuitemradio", { name: /^Paused links/ }).click();
  await expect(page.locator('[data-chart="pausedLinks"]')).toBeVisible();
  await page.getByRole("button", { name: "Fabric as tables" }).click();
  await expect(page.getByRole("columnheader", { name: "sender paused" })).toBeVisible();

  await page.getByLabel("Buffering").selectOption("per-port");
  await expect(legend).toHaveCount(0);
  await expect(page.locator('[data-chart="quality"]')).toBeVisible();
  expect(errors).toEqual([]);
});

test("a latency target brings the bars of deadlines missed and its line in the chart of latencies", async ({
  page,
}) => {
  const errors = faultsOf(page);
  await openThreeWriters(page);
  await passed(page, 200);
  const bars = page.getByRole("region", { name: /^Deadlines missed/ });
  await expect(bars).toHaveCount(0);
  await openClass(page, "Low");
  const target = page.getByLabel("Latency target");
  await target.fill("2 ms");
  await target.press("Enter");
  await expect(bars.getByRole("rowheader")).toHaveText(["Low"]);
  const cells = bars.locator("tbody").getByRole("cell");
  await expect(cells.first()).toHaveText("2 ms");
  await asFastAsPossible(page);
  await ended(page);
  await expect(cells.nth(1)).toHaveText(/^[\d.]+\u202f%$/);
  await expect(page.locator('[data-chart="request-latency"]')).toContainText(/missed [\d.]+/);
  expect(errors).toEqual([]);
});

test("the menu finds a scenario by its words, and the keyboard opens it", async ({ page }) => {
  await openThreeWriters(page);
  await passed(page, 200);
  await openPreset(page, "dctcp fig12a");
  await expect(page).toHaveTitle(/Writes at the sender with DCTCP/);
});

test("a deadlock is said with its links and what prevents it, and marks prevent it", async ({ page }) => {
  const errors = faultsOf(page);
  await openThreeWriters(page);
  await passed(page, 200);
  await openPreset(page, "pfc deadlock");
  await expect(page).toHaveTitle(/PFC locks five switches/);
  await asFastAsPossible(page);
  await ended(page);
  const notice = page.locator(".notice");
  await expect(notice).toContainText(
    /PFC deadlock seen at [\d.]+ ms: 5 links are deadlocked \(s0 to s1, s1 to s2, s2 to s3 and 2 more\)\./,
  );
  await expect(notice).toContainText(
    "5 hosts wait behind them. ECN marking, more buffer memory or loop-free routes",
  );
  await expect(page.locator(".pause-legend")).toHaveText("5 links deadlocked");
  await page.getByRole("button", { name: "Fabric as tables" }).click();
  await expect(page.getByRole("cell", { name: "bottleneck, deadlocked" })).toHaveCount(1);
  await expect(page.getByRole("cell", { name: "deadlocked", exact: true })).toHaveCount(4);
  await expect(page.getByRole("cell", { name: "waits behind the deadlock" })).toHaveCount(5);

  await page.getByRole("button", { name: "Rerun with ECN marking" }).click();
  await expect(page.getByLabel("Marking", { exact: true })).toHaveValue("step");
  await ended(page);
  await expect(notice).toHaveCount(0);
  expect(await carriedGbps(page, "Circle")).toBeGreaterThan(10);
  expect(errors).toEqual([]);
});
