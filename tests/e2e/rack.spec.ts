import { readFileSync } from "node:fs";
import { expect, type Page, test } from "@playwright/test";
import { strFromU8, unzipSync } from "fflate";
import { encodeFragment } from "../../web/src/scenario/codec.ts";
import { expectAccessible, WINDOWS } from "./accessible";
import { asFastAsPossible, briefWriters, digest, ended, faultsOf, preset } from "./explorer";

const dialog = (page: Page) => page.getByRole("dialog", { name: "Take it to the rack" });
const targets = (page: Page) => dialog(page).getByRole("navigation", { name: "Targets" });
const choose = (page: Page, name: RegExp) => targets(page).getByRole("button", { name }).click();

/** The lines of the file that is shown. */
const lines = async (page: Page) => dialog(page).locator(".rack-file li code").allTextContents();

/** A file that a button of the dialog hands over. */
async function saved(page: Page, button: RegExp) {
  const coming = page.waitForEvent("download");
  await dialog(page).getByRole("button", { name: button }).click();
  const download = await coming;
  return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) };
}

async function openFromShare(page: Page) {
  await page.getByRole("button", { name: "Share", exact: true }).click();
  await page.getByRole("button", { name: "Take it to the rack" }).click();
  await expect(dialog(page)).toBeVisible();
}

test("a scenario leaves Share as what a switch takes, line by line, and nothing is sent", async ({
  page,
}) => {
  const faults = faultsOf(page);
  await page.goto("./");
  await openFromShare(page);
  const others: string[] = [];
  page.on("request", (request) => others.push(request.method()));
  await choose(page, /^SONiC/);
  const pane = dialog(page).getByRole("region", { name: /^SONiC/ });
  // K of the first scenario is 35 packets of 1500 B.
  await expect(pane.locator(".rack-marked").filter({ hasText: "green_min_threshold" })).toContainText(
    "52500",
  );
  await expect(pane.getByRole("region", { name: "What became of every field" })).toContainText("52 500 B");
  const all = pane.getByRole("button", { name: "Show all", exact: true });
  if (await all.isVisible()) await all.click();
  const shown = await lines(page);
  const { bytes } = await saved(page, /^Save /);
  expect(bytes.toString()).toBe(`${shown.join("\n")}\n`);
  expect(Object.keys(JSON.parse(bytes.toString()))).toEqual(
    expect.arrayContaining(["WRED_PROFILE", "SCHEDULER"]),
  );
  expect(others.filter((method) => method !== "GET")).toEqual([]);
  await page.keyboard.press("Escape");
  await expect(dialog(page)).toBeHidden();
  expect(faults).toEqual([]);
});

test("the palette finds it by the name of a tool; what a scenario has nothing for says so", async ({
  page,
}) => {
  await page.goto("./");
  await page.getByRole("button", { name: "Find anything" }).click();
  await page.getByRole("combobox", { name: /^Find an action/ }).fill("dcqcn rack");
  await page.keyboard.press("Enter");
  await expect(dialog(page)).toBeVisible();
  await choose(page, /^RoCE/);
  const cards = dialog(page).getByRole("region", { name: /^RoCE/ });
  await expect(cards).toContainText(/RDMA|RoCE|DCQCN/);
  await expect(dialog(page).getByRole("button", { name: /^(Copy|Save)/ })).toHaveCount(0);

  // With DCQCN it has something, and says what of it the cards take.
  await page.keyboard.press("Escape");
  const rdma = preset("rdma-sub-classes");
  await page.goto(`./${encodeFragment(rdma)}`);
  await openFromShare(page);
  await expect(dialog(page)).toContainText(rdma.name);
  await choose(page, /^RoCE/);
  await expect(cards.locator(".rack-marked").first()).toBeVisible();
  await expect(targets(page).getByRole("button", { name: /^RoCE.* [1-9]\d* exactly/ })).toBeVisible();
});

test("all files of a tool are saved as one archive, each as it is shown", async ({ page }) => {
  await page.goto(`./${encodeFragment(preset("nvme-wrr-321"))}`);
  await openFromShare(page);
  await choose(page, /^NVMe/);
  const tabs = dialog(page).getByRole("tablist", { name: "Files" }).getByRole("tab");
  await expect(tabs).toHaveCount(2);
  const names = await tabs.allTextContents();
  const { name, bytes } = await saved(page, /^Save all 2/);
  expect(name).toMatch(/-nvme\.zip$/);
  const files = unzipSync(new Uint8Array(bytes));
  expect(Object.keys(files)).toEqual(names);
  for (const file of names) {
    await tabs.filter({ hasText: file }).click();
    await expect(dialog(page).getByRole("heading", { name: file })).toBeVisible();
    expect(strFromU8(files[file] ?? new Uint8Array()).split("\n")).toEqual(
      expect.arrayContaining(await lines(page)),
    );
  }
});

test("the report names the run that stands on the page, and prints alone on one upright sheet", async ({
  page,
}) => {
  await page.goto(`./${encodeFragment(briefWriters)}`);
  await asFastAsPossible(page);
  await ended(page);
  const result = await digest(page);
  await openFromShare(page);
  await choose(page, /^Report/);
  const report = dialog(page).getByRole("article");
  await expect(report).toContainText(result);
  await expect(report).toContainText(briefWriters.name);
  const { name, bytes } = await saved(page, /^Save as Markdown/);
  expect(name).toMatch(/-report\.md$/);
  expect(bytes.toString()).toMatch(/^# /);
  expect(bytes.toString()).toContain(result);

  await expect(async () => {
    await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
    await page.emulateMedia({ media: "print" });
    await expect(page.locator("#root")).toBeHidden({ timeout: 100 });
  }).toPass();
  await expect(report).toBeVisible();
  await expect(dialog(page).getByRole("button")).toHaveCount(0);
  expect(await sheets(page)).toEqual(["upright"]);
});

/** The sheets that the page prints on. */
async function sheets(page: Page): Promise<readonly string[]> {
  const pdf = (await page.pdf({ preferCSSPageSize: true })).toString("latin1");
  expect(pdf.match(/\/Type \/Page\b/g) ?? []).toHaveLength([...pdf.matchAll(/MediaBox \[/g)].length);
  return [...pdf.matchAll(/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/g)].map(([, width, height]) =>
    Number(height) > Number(width) ? "upright" : "lying",
  );
}

test("the report of the first scenario, with what every tool takes, is one sheet", async ({ page }) => {
  await page.goto("./");
  await openFromShare(page);
  await choose(page, /^Report/);
  const report = dialog(page).getByRole("article");
  for (const title of ["fio job files", "NVMe arbitration", "SONiC switch", "Linux hosts"])
    await expect(report).toContainText(title);
  await page.emulateMedia({ media: "print" });
  expect(await sheets(page)).toEqual(["upright"]);
});

for (const [frame, width, height] of WINDOWS) {
  test(`it is accessible: ${frame}`, { tag: frame === "tablet" ? "@full" : [] }, async ({ browser }) => {
    const context = await browser.newContext({ viewport: { width, height }, reducedMotion: "reduce" });
    const page = await context.newPage();
    await page.goto("./");
    await openFromShare(page);
    for (const target of ["sonic", "nvme", "report"] as const) {
      if (frame === "phone") await dialog(page).getByLabel("Target", { exact: true }).selectOption(target);
      else await choose(page, { sonic: /^SONiC/, nvme: /^NVMe/, report: /^Report/ }[target]);
      await expect(dialog(page).locator(".rack-file, .rack-report").first()).toBeVisible();
      await page.emulateMedia({ colorScheme: "light" });
      await expectAccessible(page, '[role="dialog"]');
    }
    await context.close();
  });
}
