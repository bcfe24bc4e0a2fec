import { readFileSync } from "node:fs";
import { expect, type Page, test } from "@playwright/test";
import type { FigureResults } from "../../web/src/generated/answers.d.ts";
import { expectAccessible, WINDOWS } from "./accessible";
import { letRunsGo, runsMade } from "./studies";

const RESULTS = JSON.parse(readFileSync("scenarios/results/figures.json", "utf8")) as FigureResults;

interface FigureFile {
  readonly id: string;
  readonly title: string;
  readonly runs?: readonly { readonly seeds: number }[];
}
const fileOf = (id: string) => JSON.parse(readFileSync(`scenarios/figures/${id}.json`, "utf8")) as FigureFile;

/** The figure that takes least of those that need a run. */
const [SMALL = ""] = Object.entries(RESULTS.figures)
  .toSorted(([, a], [, b]) => a.events - b.events)
  .flatMap(([id]) => ((fileOf(id).runs ?? []).length > 0 ? [id] : []));
/** The same of those that need at least ten. */
const [MANY = ""] = Object.entries(RESULTS.figures)
  .toSorted(([, a], [, b]) => a.events - b.events)
  .flatMap(([id]) => ((fileOf(id).runs ?? []).some(({ seeds }) => seeds >= 10) ? [id] : []));
/** One with bars of classes, a run that changes its scenario, and a cause. */
const OPENED = "paper1-fig12a";

const cards = (page: Page) => page.locator(".figure-card");
const fieldOf = (page: Page) => page.getByRole("searchbox", { name: "Find a figure" });
const outcome = (page: Page) => page.locator(".figure-outcome");

test("figures are found by paper, verdict and words, and the address keeps what is shown", async ({
  page,
}) => {
  await page.goto("./#figures");
  await expect(cards(page)).toHaveCount(Object.keys(RESULTS.figures).length);
  const sum = (key: "reproduced" | "inOrder" | "not") =>
    RESULTS.tally.reduce((total, tally) => total + tally[key], 0);
  const all = sum("reproduced") + sum("inOrder") + sum("not");
  await expect(page.locator(".figures-tally")).toHaveText(
    `${sum("reproduced")} of ${all} rows reproduced, ${sum("inOrder")} in order only, ${sum("not")} not`,
  );
  await page.getByRole("button", { name: /^1 End-to-end QoS/ }).click();
  await fieldOf(page).fill("writes at the sender");
  await expect(cards(page)).toHaveCount(1);
  await expect(page).toHaveURL(/#figures&paper=Paper%201&search=writes%20at%20the%20sender$/);
  await page.reload();
  await expect(cards(page)).toHaveCount(1);
  await expect(fieldOf(page)).toHaveValue("writes at the sender");
});

test("a figure opens by its card and its link, and Back leads to the cards", async ({ page }) => {
  await page.goto("./#figures");
  await page.getByRole("button", { name: fileOf(OPENED).title, exact: true }).press("Enter");
  await expect(page).toHaveURL(new RegExp(`#figure=${OPENED}$`));
  await expect(page.getByRole("heading", { name: fileOf(OPENED).title })).toBeVisible();
  const { rows = [] } = RESULTS.figures[OPENED] ?? {};
  await expect(page.locator(".figure-page > .figure-table tbody tr")).toHaveCount(rows.length);
  await page.goBack();
  await expect(cards(page).first()).toBeVisible();
  await page.goForward();
  await expect(page.getByRole("heading", { name: fileOf(OPENED).title })).toBeVisible();
  await page.reload();
  await expect(page.getByRole("heading", { name: fileOf(OPENED).title })).toBeVisible();
});

test("a figure that is run again equals the kept result by digest, whatever is shown meanwhile", async ({
  page,
}) => {
  test.slow();
  await page.goto(`./#figure=${SMALL}`);
  await page.getByRole("button", { name: "Run again" }).click();
  await page.getByRole("button", { name: "Explore", exact: true }).click();
  await page.getByRole("button", { name: "Figures", exact: true }).click();
  const { digest = "", rows = [] } = RESULTS.figures[SMALL] ?? {};
  await expect(outcome(page)).toHaveText(
    `The same digest as the command line and as the kept result: ${digest}.`,
    { timeout: 120_000 },
  );
  const ours = page.locator(".figure-page > .figure-table tbody tr b");
  await expect(ours).toHaveText(rows.map((row) => row.ours.replace(/(^|[\s(])-(?=\d)/g, "$1−")));
});

test("a figure that is being run goes on after a reload, and makes no run twice", async ({
  page,
  context,
}) => {
  const made = await runsMade(context, 4);
  await page.goto(`./#figure=${MANY}`);
  await page.getByRole("button", { name: "Run again" }).click();
  const progress = page.locator(".figure-progress");
  await expect(progress).toContainText(/4 of \d+ runs/);
  const wanted = Number(/of (\d+) runs/.exec((await progress.textContent()) ?? "")?.[1]);
  expect(wanted).toBeGreaterThanOrEqual(10);
  await progress.getByRole("button", { name: "Pause" }).click();
  await progress.getByRole("button", { name: "Resume" }).click();

  await page.reload();
  await letRunsGo(page);
  const { digest = "" } = RESULTS.figures[MANY] ?? {};
  await expect(outcome(page)).toHaveText(
    `The same digest as the command line and as the kept result: ${digest}.`,
  );
  expect(made).toHaveLength(wanted);
  // All of it is kept: running it again makes no run.
  await page.getByRole("button", { name: "Run again" }).click();
  await expect(outcome(page)).toHaveText(/^The same digest/);
  expect(made).toHaveLength(wanted);
});

test("a figure that is being run can be cancelled, and all of them", async ({ page }) => {
  await page.goto(`./#figure=${OPENED}`);
  await page.getByRole("button", { name: "Run again" }).click();
  await expect(page.getByRole("progressbar")).toBeVisible();
  await page.getByRole("button", { name: "Cancel" }).click();
  await expect(outcome(page)).toHaveText(/^Cancelled after \d+ of \d+ runs/);
  await page.getByRole("button", { name: "All figures" }).click();
  await page.getByRole("button", { name: /^Run all, about/ }).click();
  await expect(page.getByText(/of \d+ figures/)).toBeVisible();
  await page.getByRole("button", { name: "Cancel" }).click();
  await expect(page.getByRole("button", { name: /^Run / })).toBeVisible();
});

test("a figure leads to its runs, to a comparison and to its causes", async ({ page }) => {
  await page.goto(`./#figure=${OPENED}`);
  await page.getByRole("button", { name: "The gain of paper 1" }).first().press("Enter");
  await expect(page.getByRole("heading", { name: "The gain of paper 1" })).toBeFocused();
  await page.getByRole("button", { name: "QTCP | DCTCP" }).click();
  await expect(page.locator(".compare-run")).toHaveCount(2);
  await page.goBack();
  await page.getByRole("button", { name: "Open QTCP, g = 1/2 in Explore" }).click();
  await expect(page.getByRole("button", { name: /g = 1\/2/ })).toBeVisible();
});

test("the palette and the menu of scenarios lead to figures", async ({ page }) => {
  await page.goto("./");
  await page.getByRole("button", { name: "Find anything" }).click();
  await page.getByRole("combobox", { name: /^Find an action/ }).fill("figure paper 1 fig. 12a");
  await expect(page.getByRole("option").first()).toContainText(fileOf(OPENED).title);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(new RegExp(`#figure=${OPENED}$`));
  await page.keyboard.press("/");
  await page.getByLabel("Find a scenario").fill("writes at the sender with QTCP");
  await page.getByRole("button", { name: "Figure: Paper 1, fig. 12a" }).first().click();
  await expect(page.getByRole("heading", { name: fileOf(OPENED).title })).toBeVisible();
});

test("the report has every figure on paper and as JSON", async ({ page }) => {
  await page.goto("./#figures");
  await expect(cards(page).first()).toBeVisible();
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "JSON" }).click();
  const report = JSON.parse(readFileSync((await (await download).path()) ?? "", "utf8"));
  expect(report.figures).toHaveLength(Object.keys(RESULTS.figures).length);
  expect(report.engineVersion).toMatch(/^\d+\.\d+\.\d+/);
  await page.emulateMedia({ media: "print" });
  await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
  await expect(page.locator(".figures-report")).toBeVisible();
  await expect(page.locator(".figures-report section h2")).toHaveCount(Object.keys(RESULTS.figures).length);
  await expect(page.locator(".figures-overview")).toBeHidden();
  await expect(page.locator(".topbar")).toBeHidden();
  await page.evaluate(() => dispatchEvent(new Event("afterprint")));
  await expect(page.locator(".figures-report")).toHaveCount(0);
});

for (const [name, width, height] of WINDOWS) {
  const tag = name === "tablet" ? " @full" : "";
  test(`cards and a figure are accessible on a ${name}${tag}`, async ({ page }) => {
    await page.setViewportSize({ width, height });
    // Cards are alike: those of one paper take a tenth of the time.
    for (const fragment of ["figures&paper=Paper%204", `figure=${OPENED}`]) {
      await page.emulateMedia({ colorScheme: "light" });
      await page.goto(`./?${fragment.length}#${fragment}`);
      await expect(page.locator(".figures h2").first()).toBeVisible();
      await expectAccessible(page);
    }
  });
}
