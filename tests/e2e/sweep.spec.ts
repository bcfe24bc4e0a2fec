import { expect, type Page, test } from "@playwright/test";
import { encodeFragment } from "../../web/src/scenario/codec.ts";
import type { Scenario } from "../../web/src/scenario/types.ts";
import { expectAccessible, WINDOWS } from "./accessible";
import { faultsOf, linkedScenario, threeWriters } from "./explorer";

/** Short runs, so that a study of them takes seconds. */
const short: Scenario = { ...threeWriters, durationUs: 2000, measurement: { warmupUs: 500 } };

const K = { path: "switch.ecnThresholdPackets", range: { from: 10, to: 160, count: 5, scale: "log" } };
const RATIO = { path: "classes[0].ratio", values: [1, 3] };
const MEASURES = [
  { title: "Total throughput", value: "sum(classes.carriedGbps)", unit: "Gb/s" },
  { title: "p99 latency", value: "classes['{class}'].latencyUs.p99", unit: "us" },
];
const sweep = (vary: readonly object[], count = 2) => ({
  version: 2,
  title: "A sweep",
  vary,
  seeds: { count },
  measures: MEASURES,
  ask: { kind: "sweep" },
});
const opened = (study: object, state: object = {}, scenario = short) =>
  `./${encodeFragment(scenario, JSON.stringify({ view: "sweep", state: { study: JSON.stringify(study), ...state } }))}`;

const start = (page: Page) => page.getByRole("button", { name: "Start", exact: true });
const progress = (page: Page) => page.locator(".study-progress");
const done = (page: Page) => expect(progress(page)).toContainText("Done", { timeout: 90_000 });
const curves = (page: Page) => page.getByRole("img", { name: /^Curves over/ });
const heat = (page: Page) => page.getByRole("img", { name: /^Heat map of/ });
const readout = (page: Page) => page.locator(".study-readout");

test("K is varied from its row: the study says its cost, its curves fill in, and a point opens the very run", async ({
  page,
}) => {
  const faults = faultsOf(page);
  await page.goto(`./${encodeFragment(short)}`);
  await page.getByLabel("ECN threshold", { exact: true }).first().press("?");
  await page.getByRole("button", { name: "Vary this" }).click();
  await expect(page.getByLabel("Parameter", { exact: true })).toHaveValue(K.path);
  for (const [label, value] of [
    ["From", "10"],
    ["To", "160"],
    ["Values", "5"],
    ["Seeds per value", "2"],
  ] as const) {
    await page.getByLabel(label, { exact: true }).fill(value);
    await page.getByLabel(label, { exact: true }).press("Enter");
  }
  await expect(progress(page)).toContainText(/10 runs, about \d+ \w+ on \d+ workers?\. Nothing has been run/);
  await expect(page.getByRole("region", { name: "Cost" })).toContainText("10 runs of 2 ms");
  await expect(curves(page)).toHaveAttribute("aria-label", /0 of 5 values run/);
  await start(page).click();
  await done(page);
  await expect(progress(page)).toContainText("10 of 10 runs");
  await expect(curves(page)).toHaveAttribute("aria-label", /all run\. Total throughput is least/);
  await expect(page.getByText("Each point: mean of 2 seeds. Bars: 95 % confidence.")).toBeVisible();

  // Under the pointer stand the numbers of the nearest value.
  const box = await curves(page).boundingBox();
  if (!box) throw new Error("no picture");
  const middle = { x: 56 + (box.width - 56 - 120) / 2, y: 120 };
  await curves(page).hover({ position: middle });
  await expect(readout(page)).toContainText("K 40 packets");
  await expect(readout(page)).toContainText("2 seeds");
  await expect(readout(page).getByRole("row", { name: /p99 latency, High/ })).toContainText(/\d+ µs/);

  await curves(page).click({ position: middle });
  await page.getByRole("menuitem", { name: /Open this run/ }).click();
  await expect(page.getByLabel("ECN threshold", { exact: true }).first()).toHaveValue("40");
  await expect.poll(() => linkedScenario(page)).toContain('"ecnThresholdPackets":40');
  await page.getByRole("button", { name: "Undo", exact: true }).click();
  await expect.poll(() => linkedScenario(page)).not.toContain('"ecnThresholdPackets":40');

  // What was run is still there, and none of it is run again.
  await page.getByRole("button", { name: "Sweep", exact: true }).first().click();
  await expect(progress(page)).toContainText("10 of 10 runs");
  expect(faults).toEqual([]);
});

test("a second factor makes a heat map of the results that are there, and curves for each of its values", async ({
  page,
}) => {
  const faults = faultsOf(page);
  await page.goto(opened(sweep([{ ...K, range: { ...K.range, count: 3 } }, RATIO])));
  await start(page).click();
  await done(page);
  await expect(heat(page)).toHaveAttribute("aria-label", /Heat map of Total throughput over K and Ratio/);
  // Keys go from cell to cell.
  await heat(page).focus();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowUp");
  await expect(readout(page)).toContainText("K 10 packets, Ratio r, High 3");
  await page
    .getByRole("combobox", { name: "Measure", exact: true })
    .selectOption({ label: "p99 latency, High" });
  await expect(heat(page)).toHaveAttribute("aria-label", /Heat map of p99 latency, High/);
  await page.getByLabel("Line at").fill("1");
  await page.getByLabel("Line at").press("Enter");
  await expect(heat(page)).toHaveAttribute("aria-label", /0 of 6 cells are at or below the line/);
  await page.getByRole("radio", { name: "Curves" }).click();
  await expect(curves(page)).toHaveAttribute("aria-label", /p99 latency, High at Ratio r, High 1/);
  // One of them alone: all of its runs are kept, and none is made again.
  await page.getByRole("button", { name: /^Vary Ratio r, High no more/ }).click();
  await expect(progress(page)).toContainText("6 of 6 runs");
  await expect(curves(page)).toHaveAttribute("aria-label", /all run/);
  expect(faults).toEqual([]);
});

test("a sweep that is cancelled keeps what is done, goes on from there after a reload, and ends", async ({
  page,
}) => {
  const faults = faultsOf(page);
  // Runs that take a while: none but those under way end between two looks.
  await page.goto(opened(sweep([K], 12), {}, { ...short, durationUs: 30_000 }));
  await start(page).click();
  await expect(progress(page)).toContainText(/\b([4-9]|\d\d) of 60 runs/);
  await page.getByRole("button", { name: "Pause" }).click();
  await expect(progress(page)).toContainText("Paused");
  await page.getByRole("button", { name: "Resume" }).click();
  await page.getByRole("button", { name: /^Cancel, keep \d+/ }).click();
  await expect(progress(page)).toContainText("Cancelled");
  const known = Number(/(\d+) of 60/.exec((await progress(page).textContent()) ?? "")?.[1]);
  expect(known).toBeGreaterThan(3);
  expect(known).toBeLessThan(60);
  await page.reload();
  await expect(progress(page)).toContainText("kept from before");
  const kept = Number(/(\d+) of 60/.exec((await progress(page).textContent()) ?? "")?.[1]);
  expect(kept).toBeGreaterThanOrEqual(known);
  await page.getByRole("button", { name: "Go on" }).click();
  await done(page);
  await expect(progress(page)).toContainText("60 of 60 runs");
  await expect(progress(page)).toContainText(`${kept} of them kept from before`);
  expect(faults).toEqual([]);
});

test("a study that cannot be run is told beside what is wrong, and one that is mended runs", async ({
  page,
}) => {
  await page.goto(opened(sweep([{ ...K, range: { ...K.range, from: 10, to: 10 } }])));
  await expect(progress(page)).toContainText("cannot be run as it is");
  await expect(page.getByRole("group", { name: /ECN threshold/ }).getByRole("alert")).toBeVisible();
  await page.getByLabel("To", { exact: true }).fill("160");
  await page.getByLabel("To", { exact: true }).press("Enter");
  await expect(start(page)).toBeVisible();
});

test("results of an edited scenario are not shown as those of the new one", async ({ page }) => {
  await page.goto(opened(sweep([{ ...K, range: { ...K.range, count: 2 } }])));
  await start(page).click();
  await done(page);
  await page.getByRole("button", { name: "Explore", exact: true }).first().click();
  const ratio = page.getByLabel("Low, ratio");
  await ratio.fill("3");
  await ratio.press("Enter");
  await page.getByRole("button", { name: "Sweep", exact: true }).first().click();
  await expect(progress(page)).toContainText("4 former results are not shown here");
  await expect(curves(page)).toHaveAttribute("aria-label", /0 of 2 values run/);
  await page.getByRole("button", { name: "Undo", exact: true }).click();
  await expect(progress(page)).toContainText("4 of 4 runs");
});

for (const [frame, width, height] of WINDOWS) {
  const tag = frame === "tablet" ? "@full" : [];
  test(`a finished sweep is accessible, and keys read it: ${frame}`, { tag }, async ({ browser }) => {
    const context = await browser.newContext({
      viewport: { width, height },
      hasTouch: frame === "phone",
      isMobile: frame === "phone",
    });
    const page = await context.newPage();
    const faults = faultsOf(page);
    await page.goto(opened(sweep([{ ...K, range: { ...K.range, count: 3 } }])));
    await start(page).click();
    await done(page);
    await expectAccessible(page);
    await curves(page).focus();
    await page.keyboard.press("End");
    await expect(readout(page)).toContainText("K 160 packets");
    await page.keyboard.press("Enter");
    await expect(page.getByRole("menuitem", { name: /Compare with the present one/ })).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(curves(page)).toBeFocused();
    await page.keyboard.press("t");
    const table = page.getByRole("region", { name: "Curves, table" });
    await expect(table.getByRole("row")).toHaveCount(4);
    await page.keyboard.press("t");
    if (frame === "phone") {
      // A finger reads first, and opens the menu where it taps again.
      await page.keyboard.press("Escape");
      const end = { position: { x: width - 108, y: 120 } };
      await curves(page).tap(end);
      await expect(readout(page)).toContainText("K 160 packets");
      await expect(page.getByRole("menu")).toHaveCount(0);
      await curves(page).tap(end);
      await page.getByRole("menuitem", { name: /Open this run/ }).waitFor();
      await page.keyboard.press("Escape");
      await page.getByRole("button", { name: "What is asked" }).click();
      await expect(page.getByRole("dialog").getByLabel("Seeds per value")).toHaveValue("2");
    }
    expect(faults).toEqual([]);
    await context.close();
  });
}

test("on paper a sweep is its question, its curves as lines and letters, and how they are read", async ({
  page,
}) => {
  await page.goto(opened(sweep([{ ...K, range: { ...K.range, count: 2 } }])));
  await start(page).click();
  await done(page);
  // The script that makes reports comes when the page is idle.
  await expect(async () => {
    await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
    await expect(page.locator(".chart-print")).toHaveCount(1, { timeout: 100 });
  }).toPass();
  await page.emulateMedia({ media: "print" });
  await expect(page.getByRole("heading", { name: "A sweep" })).toBeVisible();
  await expect(page.locator(".chart-print")).toBeVisible();
  await expect(page.locator(".chart-print")).toContainText("p99 latency");
  await expect(page.locator(".study-reading")).toBeVisible();
  const acting = page.locator("button, input, select");
  await expect(acting.filter({ visible: true })).toHaveCount(0);
  await page.evaluate(() => dispatchEvent(new Event("afterprint")));
  await expect(page.locator(".chart-print")).toHaveCount(0);
});

test("a point stands beside the present run in Compare", async ({ page }) => {
  await page.goto(opened(sweep([{ ...K, range: { ...K.range, count: 2 } }])));
  await start(page).click();
  await done(page);
  await curves(page).focus();
  await page.keyboard.press("Home");
  await page.keyboard.press("Enter");
  await page.getByRole("menuitem", { name: /Compare with the present one/ }).click();
  await expect(page.getByRole("complementary", { name: "Differences" })).toContainText(
    "140 packets → 10 packets",
  );
});
