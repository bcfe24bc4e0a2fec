import { readFileSync } from "node:fs";
import { expect, type Page, test } from "@playwright/test";
import { encodeFragment } from "../../web/src/scenario/codec";
import { violations } from "./accessible";
import {
  asFastAsPossible,
  digest,
  ended,
  faultsOf,
  linkedScenario,
  passed,
  threeWriters,
  timeUs,
} from "./explorer";

const noted = {
  ...threeWriters,
  notes: [
    { text: "Queues fill before <b>marking</b> answers.", atUs: 600 },
    { text: "All write to it.", node: "h12" },
    { text: "Of a node that is not there.", node: "nowhere" },
  ],
};

const panel = (page: Page) => page.getByRole("region", { name: "Notes" });
const generation = (page: Page) => page.locator("html").getAttribute("data-generation");

test("notes stand at their instants and nodes, in the list and in the tables, as text", async ({ page }) => {
  const faults = faultsOf(page);
  await page.goto(`./${encodeFragment(noted)}`);
  await passed(page, 1000);
  await page.keyboard.press("Space");
  const signals = page.getByRole("region", { name: "Signals over time" });
  const mark = signals.getByRole("button", { name: "Note 1" });
  await mark.focus();
  await expect(mark).toHaveAccessibleDescription(/0\.600 ms.*Queues fill before <b>marking<\/b> answers\./);
  await expect(signals.getByRole("tooltip")).toBeVisible();
  await page.keyboard.press("Enter");
  await expect.poll(() => timeUs(page)).toBe(600);

  const fabric = page.getByRole("region", { name: "Fabric, picture" });
  await fabric.getByRole("button", { name: "Note 2" }).hover();
  await expect(fabric.getByRole("tooltip")).toContainText("All write to it.");
  await expect(panel(page)).toContainText("nowhere (not in this network)");
  await panel(page)
    .getByRole("button", { name: /All write to it/ })
    .click();
  await expect(page.locator(".fabric-noted")).toBeVisible();
  expect(await violations(page)).toEqual([]);

  await page.keyboard.press("g");
  const tables = page.getByRole("region", { name: "Fabric, tables" });
  await tables.getByRole("tab", { name: "Nodes" }).click();
  await expect(tables.getByRole("row", { name: /^h12 / })).toContainText("2 All write to it.");
  expect(faults).toEqual([]);
});

test("a note is written, edited, deleted and undone by keys, and the run is the same run", async ({
  page,
}) => {
  await page.goto(`./${encodeFragment({ ...threeWriters, durationUs: 3000 })}`);
  await asFastAsPossible(page);
  await ended(page);
  const before = await digest(page);
  const run = await generation(page);

  await page.locator("body").press("n");
  const text = panel(page).getByRole("textbox", { name: "Note", exact: true });
  await expect(text).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(panel(page).getByRole("alert")).toContainText("is empty");
  await text.fill("The end.");
  await panel(page).getByRole("combobox", { name: "Node" }).fill("h0");
  await page.keyboard.press("Enter");
  const entry = panel(page).getByRole("button", { name: "1 3.000 ms, h0 The end." });
  await expect(entry).toBeVisible();
  await expect(text).toHaveCount(0);

  await panel(page).getByRole("button", { name: "Edit note 1" }).press("Enter");
  await text.fill("The very end.");
  await page.keyboard.press("Enter");
  await expect(panel(page)).toContainText("The very end.");
  await page.keyboard.press("Control+z");
  await expect(entry).toBeVisible();
  await panel(page).getByRole("button", { name: "Delete note 1" }).press("Enter");
  await expect(panel(page)).toHaveCount(0);
  await page.keyboard.press("Control+z");
  await expect(entry).toBeVisible();

  expect(await digest(page)).toBe(before);
  expect(await generation(page)).toBe(run);
  // The link has it.
  await expect.poll(() => linkedScenario(page)).toContain("The end.");
  await page.reload();
  await expect(panel(page)).toContainText("The end.");
});

test("what is exported has the notes", { tag: "@full" }, async ({ page }) => {
  await page.goto(`./${encodeFragment({ ...noted, durationUs: 3000 })}`);
  await asFastAsPossible(page);
  await ended(page);
  const saved = async (press: () => Promise<void>) => {
    const [file] = await Promise.all([page.waitForEvent("download"), press()]);
    return readFileSync(await file.path(), "utf8");
  };
  const chart = page.locator(".series-chart").first();
  await chart.hover();
  await chart.getByRole("button", { name: /table and export/ }).click();
  const svg = await saved(() => page.getByRole("menuitem", { name: "Save as SVG" }).click());
  expect(svg).toContain("Note 1, 0.600 ms: Queues fill before &lt;b&gt;marking&lt;/b&gt; answers.");
  expect(svg).not.toContain("All write to it");

  const find = async (words: string) => {
    await page.keyboard.press("Control+k");
    await page.keyboard.type(words);
    await expect(page.getByRole("option").first()).toContainText(words);
    await page.keyboard.press("Enter");
  };
  const json = JSON.parse(await saved(() => find("Run as JSON")));
  expect(json.scenario.notes).toEqual(noted.notes);
  expect(await saved(() => find("Run as CSV"))).toContain("\n# Note 2, h12: All write to it.\n");
});

test("a locked embed shows notes and lets nobody write any", async ({ page }) => {
  await page.setViewportSize({ width: 960, height: 640 });
  await page.goto(`./?embed&lock${encodeFragment(noted)}`);
  await passed(page, 100);
  await expect(panel(page)).toContainText("All write to it.");
  await expect(page.getByRole("button", { name: "Add note" })).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Edit note 1" })).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Edit story" })).toHaveCount(0);
  await page.locator("body").press("n");
  await expect(panel(page).getByRole("listitem")).toHaveCount(3);
  await expect(panel(page).getByRole("textbox")).toHaveCount(0);
});
