import { expect, type Page, test } from "@playwright/test";
import { encodeFragment } from "../../web/src/scenario/codec.ts";
import type { Scenario } from "../../web/src/scenario/types.ts";
import { violations } from "./accessible";
import {
  asFastAsPossible,
  ended,
  faultsOf,
  openThreeWriters,
  passed,
  preset,
  threeWriters,
} from "./explorer";

const differences = (page: Page) => page.getByRole("complementary", { name: "Differences" });
const run = (page: Page, letter: string) => page.getByRole("region", { name: `Run ${letter}`, exact: true });

/** Short runs, so that twenty of them take seconds. */
const short: Scenario = { ...threeWriters, durationUs: 3000 };
const withDctcp: Scenario = {
  ...short,
  classes: short.classes.map((item) => ({ ...item, transport: "dctcp" as const })) as Scenario["classes"],
};
const compared = `./${encodeFragment(short, JSON.stringify({ view: "compare", state: { baselines: [withDctcp] } }))}`;

/** A cell of a table of differences, as a number. */
async function cell(page: Page, table: RegExp, name: string, column: number): Promise<number> {
  const row = differences(page).getByRole("table", { name: table }).getByRole("row", { name });
  const text = await row.getByRole("cell").nth(column).textContent();
  return Number.parseFloat((text ?? "").replace("−", "-"));
}

test("a pinned run and what was changed since stand side by side, in step, and the link has both", async ({
  page,
  browser,
}) => {
  const faults = faultsOf(page);
  await openThreeWriters(page);
  await passed(page, 1000);
  await page.keyboard.press("b");
  const ratio = page.getByLabel("Low, ratio");
  await ratio.fill("3");
  await ratio.press("Enter");
  await page.getByRole("button", { name: "Compare", exact: true }).first().click();
  await expect(run(page, "A")).toContainText("QTCP");
  await expect(run(page, "B")).toContainText("Current");
  await expect(differences(page)).toContainText("Low ratio 3");
  await asFastAsPossible(page);
  await ended(page);
  // Low had a sixth of the link, and has three eighths now.
  await expect.poll(() => cell(page, /^Throughput/, "Low", 0)).toBeLessThan(20);
  await expect.poll(() => cell(page, /^Throughput/, "Low", 1)).toBeGreaterThan(30);
  await expect.poll(() => cell(page, /^Throughput/, "Low", 2)).toBeGreaterThan(60);

  const other = await browser.newPage();
  await expect(page).toHaveURL(/#3\./);
  await other.goto(page.url());
  await expect(run(other, "A")).toContainText("QTCP");
  await expect(differences(other)).toContainText("Low ratio 3");
  await other.close();
  expect(faults).toEqual([]);
});

test("opened with nothing to compare with, it runs what the story offers to try first beside the scenario", async ({
  page,
}) => {
  await openThreeWriters(page);
  await page.getByRole("button", { name: "Compare", exact: true }).first().click();
  const [first] = short.story?.tries ?? [];
  await expect(run(page, "A")).toContainText(String(first?.label));
  await expect(run(page, "B")).toContainText(short.name);
  await expect(differences(page).getByRole("table", { name: /^Throughput/ })).toBeVisible();
  await expect(page).toHaveTitle(/^Three writers, one storage server/);
});

test("both runs go to where the time bar is dragged, ahead and back", { tag: "@full" }, async ({ page }) => {
  await page.goto(compared);
  await asFastAsPossible(page);
  await ended(page);
  const readout = run(page, "A").getByRole("img").first();
  await expect(readout).toHaveAccessibleName(/At 2\.9|At 3\.0/);
  await page.getByRole("slider", { name: "Position in the run" }).focus();
  await page.keyboard.press("Home");
  await expect(readout).toHaveAccessibleName(/Empty|no sample|At 0\.0|has not/i);
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Shift+ArrowRight");
  await expect(page.locator("html")).toHaveAttribute("data-run-state", "paused");
  await expect(readout).toHaveAccessibleName(/At 0\.2/);
});

test("over several seeds each difference has an interval, and the sentence says how sure it is", async ({
  page,
}) => {
  await page.goto(compared);
  await expect(run(page, "A")).toContainText("DCTCP for all classes");
  await differences(page).getByLabel("Seeds", { exact: true }).selectOption("5");
  await differences(page).getByRole("button", { name: "Run them" }).click();
  await expect(differences(page)).toContainText("10 runs done", { timeout: 60_000 });
  await expect(differences(page)).toContainText(/In B, \w+ carries .* 95 % interval .* 5 seeds/);
  const throughput = differences(page).getByRole("table", { name: /^Throughput/ });
  await expect(throughput.getByRole("row", { name: "High" })).toContainText(/\+\d.*%.*± \d/);
  await page.getByRole("button", { name: "Remove A" }).click();
  await expect(page.getByRole("heading", { name: "Nothing to compare with yet" })).toBeVisible();
});

test("the menu opens what a paper compares, and the view is accessible", async ({ page }) => {
  await openThreeWriters(page);
  await passed(page, 100);
  await page.keyboard.press("/");
  await page.getByLabel("Find a scenario").fill("fig. 15b");
  await page.getByText("4 comparisons, side by side").click();
  await page
    .getByRole("button", { name: /Deadlines: open loop, stressed/ })
    .filter({ hasText: "Compare" })
    .click();
  await expect(run(page, "A")).toContainText("DCTCP for all classes");
  await expect(run(page, "B")).toContainText("D2TCP for all classes");
  await expect(run(page, "C")).toContainText("QTCP for all classes");
  await expect(differences(page).getByRole("table", { name: /^Deadlines missed/ })).toBeVisible();
  expect(await violations(page)).toEqual([]);
});

test("the four runs of a control stand two by two, by names that can be read", { tag: "@full" }, async ({
  page,
}) => {
  await openThreeWriters(page);
  await passed(page, 100);
  await page.keyboard.press("/");
  await page.getByLabel("Find a scenario").fill("paper 1, fig. 12");
  await page
    .getByText(/comparisons, side by side/)
    .first()
    .click();
  await page.getByRole("button", { name: /Writes to ten servers: what each half contributes/ }).click();
  for (const [letter, name] of [
    ["A", "neither"],
    ["B", "network alone"],
    ["C", "drives alone"],
    ["D", "network and drives"],
  ] as const)
    await expect(run(page, letter).getByRole("heading", { name, exact: true })).toBeVisible();
  await asFastAsPossible(page);
  await ended(page);
  // Drives that know the classes change nothing: the network alone makes the shares.
  await expect
    .poll(async () => {
      const shares = [0, 1, 2, 3].map((column) => cell(page, /^Throughput/, "High", column));
      const [neither = 0, network, drives, both = 0] = await Promise.all(shares);
      return { drives: drives === neither, network: both === network, both: both > neither + 10 };
    })
    .toEqual({ drives: true, network: true, both: true });
  const [a, b, c] = await Promise.all(["A", "B", "C"].map((letter) => run(page, letter).boundingBox()));
  expect(a?.y).toBe(b?.y);
  expect(a?.x).toBe(c?.x);
  expect(await violations(page)).toEqual([]);
});

test("on a phone the figures come first, then each run", { tag: "@full" }, async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(compared);
  await expect(differences(page)).toBeVisible();
  await page.getByRole("radio", { name: "A", exact: true }).click();
  await expect(run(page, "A")).toBeVisible();
  await expect(run(page, "B")).toHaveCount(0);
  expect(await violations(page)).toEqual([]);
});

test("where the SSD is the bottleneck shares stand in the place of Q and of targets in Gb/s", async ({
  page,
}) => {
  const faults = faultsOf(page);
  const { story: _, ...plain } = preset("storage-three-classes");
  const coordinated = { ...plain, durationUs: 8000 } as Scenario;
  const agnostic = { ...coordinated, storage: { ...coordinated.storage, treatment: "agnostic" } };
  const state = { baselines: [agnostic] };
  await page.goto(`./${encodeFragment(coordinated, JSON.stringify({ view: "compare", state }))}`);
  await asFastAsPossible(page);
  await ended(page);
  for (const letter of ["A", "B"]) {
    const charts = run(page, letter).locator("[data-chart]");
    await expect
      .poll(() => charts.evaluateAll((all) => all.map((chart) => chart.getAttribute("data-chart"))))
      .toEqual(["throughput", "share", "queue"]);
    await expect(charts.first()).toHaveAccessibleName(/High carries [\d.]+ Gb\/s \(\d+\s%, target 50\s%\)/);
  }
  // High has a sixth where storage does not know it, and half where it does.
  await expect.poll(() => cell(page, /^Throughput share/, "High", 0)).toBe(50);
  await expect.poll(() => cell(page, /^Throughput share/, "High", 1)).toBeLessThan(25);
  await expect.poll(() => cell(page, /^Throughput share/, "High", 2)).toBeGreaterThan(40);
  await expect(differences(page)).toContainText(/of the throughput \(\d+\s% against \d+\s%\)/);
  await run(page, "B").getByRole("button", { name: "Throughput share, choose what the chart shows" }).click();
  await expect(
    page
      .getByRole("menuitem", { name: /Quality factor/ })
      .or(page.getByRole("menuitemradio", { name: /Quality factor/ })),
  ).toContainText("no targets in Gb/s: SSD is the bottleneck");
  expect(faults).toEqual([]);
});
