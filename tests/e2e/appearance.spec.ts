import { expect, type Locator, type Page, test } from "@playwright/test";
import { chromiumPath, chromiumSwitches } from "../../scripts/lib/chromium.mjs";
import { encodeFragment } from "../../web/src/scenario/codec.ts";
import type { Scenario } from "../../web/src/scenario/types.ts";
import { ended, preset, threeWriters, timeUs } from "./explorer";

/*
 * What the views look like, against the pictures in appearance/. Each shows a run that stands still at a fixed simulated
 * time. Letters come from the font that the page ships, drawn without the hints of the system; only symbols (K, Q) are
 * in a serif of the system, and are fewer pixels than two pictures may differ by. CONTRIBUTING.md says how to renew them.
 */

const DESK = { width: 1280, height: 720 };
const PHONE = { width: 390, height: 844 };
const EMBED = { width: 720, height: 620 };

test.describe.configure({ mode: "parallel" });
test.use({
  launchOptions: {
    executablePath: chromiumPath() ?? "",
    args: [...chromiumSwitches, "--font-render-hinting=none", "--force-color-profile=srgb"],
  },
  viewport: DESK,
  colorScheme: "light",
  contextOptions: { reducedMotion: "reduce" },
});

const shortened = (scenario: Scenario, durationUs: number): Scenario => ({ ...scenario, durationUs });
const dumbbell = shortened(preset("bench-dumbbell-100g"), 3000);
const fatTree = shortened(threeWriters, 3000);
const server = shortened(preset("storage-three-classes"), 3000);
const tenants = preset("paper4-fig7-nested");
const withDctcp: Scenario = {
  ...fatTree,
  classes: fatTree.classes.map((item) => ({ ...item, transport: "dctcp" as const })) as Scenario["classes"],
};

/**
 * Opens a scenario, and stands still shortly before its end. With reduced motion the run is shown at its end at once; how
 * full links are is read over the last step alone, as long on every machine.
 */
async function openStill(page: Page, scenario: Scenario, view: object = {}, query = ""): Promise<void> {
  await page.goto(`./${query}${encodeFragment(scenario, JSON.stringify(view))}`);
  await ended(page);
  for (const key of [",", ",", "."]) {
    const before = await timeUs(page);
    await page.keyboard.press(key);
    await expect.poll(() => timeUs(page)).not.toBe(before);
  }
}

/**
 * Compares a part of the page with its picture. Smoothed edges may differ, and a few hundred pixels; a switch that stands 20
 * pixels farther is more than that. The speed of the engine is the machine's, and so is what follows from it: that is covered.
 */
const looksAs = (part: Locator, name: string, ofTheMachine: readonly Locator[] = []) =>
  expect(part).toHaveScreenshot(`${name}.png`, {
    maxDiffPixelRatio: 0.002,
    animations: "disabled",
    scale: "css",
    mask: [part.page().locator(".engine"), ...ofTheMachine],
  });

const middle = (page: Page) => page.locator(".main-pane");

test("Explore of a dumbbell, and Draw", async ({ page }) => {
  await openStill(page, dumbbell);
  await looksAs(middle(page), "explore-dumbbell");
  await page.keyboard.press("e");
  await expect(page.getByRole("complementary", { name: "Inspector" })).toBeVisible();
  await looksAs(page.locator("main"), "draw");
});

test("Explore of a fat-tree", async ({ page }) => {
  await openStill(page, fatTree);
  await looksAs(middle(page), "explore-fat-tree");
  await looksAs(page.getByRole("complementary", { name: "Results" }), "explore-results");
  await looksAs(page.getByRole("region", { name: "Settings" }), "explore-settings");
});

test("Compare", async ({ page }) => {
  await openStill(page, fatTree, { view: "compare", state: { baselines: [withDctcp] } });
  // An axis keeps what it has shown; one that is shown anew depends on the run alone.
  for (const name of ["Explore", "Compare"]) {
    await page.getByRole("navigation", { name: "Views" }).getByRole("button", { name }).click();
  }
  const differences = page.getByRole("complementary", { name: "Differences" });
  const throughput = differences.getByRole("table", { name: /^Throughput/ });
  for (const cell of await throughput.getByRole("cell").all()) await expect(cell).toHaveText(/\d/);
  await looksAs(page.getByRole("region", { name: "Run B", exact: true }), "compare-run");
  await looksAs(differences, "compare-differences");
});

test("the inside of a storage server", async ({ page }) => {
  await openStill(page, server, { view: "storage" });
  await looksAs(middle(page), "storage");
});

test("Plan", async ({ page }) => {
  await page.goto(`./${encodeFragment(tenants, JSON.stringify({ view: "plan" }))}`);
  await expect(page.getByRole("region", { name: "Who keeps the promise" })).toContainText("%");
  for (const unfinished of [".plan-progress", "[data-behind]"]) {
    await expect(page.locator(unfinished)).toHaveCount(0);
  }
  await looksAs(middle(page), "plan");
});

test("an embed", async ({ page }) => {
  await page.setViewportSize(EMBED);
  await openStill(page, dumbbell, {}, "?embed&hide=settings,results");
  await looksAs(page.locator("body"), "embed");
});

test("Explore on a phone", async ({ page }) => {
  await page.setViewportSize(PHONE);
  await openStill(page, fatTree);
  await looksAs(page.locator("body"), "phone");
});

test("Learn: the contents, and a prediction beside its run", async ({ page }) => {
  await page.goto("./#learn");
  await expect(page.getByRole("heading", { name: "What a queue costs" })).toBeVisible();
  await looksAs(page.getByRole("region", { name: "Learn by predicting" }), "learn-contents");
  await page.goto("./#learn=2.3");
  const step = page.getByRole("region", { name: "Why not make K tiny?" });
  await step.getByRole("radio").first().check({ force: true });
  await step.getByRole("button", { name: "Lock in" }).click();
  await step.getByRole("button", { name: "Run", exact: true }).click();
  await expect(step.getByText("Not as you predicted.")).toBeVisible();
  await looksAs(page.getByRole("main"), "learn-step");
});

test("Figures: the cards, and one of them opened", async ({ page }) => {
  await page.goto("./#figures");
  const estimates = page.getByText(/about \d+ (s|min)/);
  await expect(page.getByRole("main")).toContainText("rows reproduced");
  await looksAs(page.getByRole("main"), "figures", [estimates]);
  await page.goto("./#figure=paper1-fig12a");
  await expect(page.getByRole("heading", { name: "Writes at the sender" })).toBeVisible();
  await looksAs(page.getByRole("main"), "figure", [estimates]);
});
