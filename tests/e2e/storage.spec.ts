import { expect, type Page, test } from "@playwright/test";
import { encodeFragment } from "../../web/src/scenario/codec.ts";
import type { Scenario } from "../../web/src/scenario/types.ts";
import { expectAccessible, WINDOWS } from "./accessible";
import { asFastAsPossible, digest, ended, faultsOf, openThreeWriters, passed } from "./explorer";

const NAMES = ["High", "Medium", "Low"] as const;

/** Three classes read and write at one storage server over NVMe/TCP. */
const scenario = {
  version: 3,
  name: "Three classes at one SSD",
  durationUs: 8000,
  topology: { shape: { kind: "dumbbell", senders: 3, receivers: 1, switches: 1 }, linkGbps: 100 },
  access: { protocol: "nvme-tcp" },
  classes: NAMES.map((name, i) => ({ name, ratio: 3 - i })),
  workloads: NAMES.map((name, i) => ({
    class: name,
    endpoints: { kind: "pairs", initiators: [`h${i}`], targets: ["h3"] },
    readFraction: 0.5,
    traffic: {
      kind: "closed-loop",
      outstanding: 64,
      size: { kind: "fixed", bytes: name === "Low" ? 65_536 : 16_384 },
    },
  })),
} as unknown as Scenario;

const link = (view = "") => `./${encodeFragment(scenario, view)}`;
const matrix = (page: Page) => page.getByRole("region", { name: /^Where the time goes/ });
const recorded = (page: Page) => page.locator(".recorded li");

test("a storage server opens from the fabric; its treatment of classes changes live and is recorded", async ({
  page,
}) => {
  const faults = faultsOf(page);
  await page.goto(link());
  await passed(page, 2500);
  // What is changed now is changed in this run, however long the test takes.
  await page.getByRole("button", { name: "Pause", exact: true }).click();
  await expect(matrix(page).getByRole("row", { name: /^Submission queue/ })).toBeVisible();
  await matrix(page).getByRole("radio", { name: "reads" }).click();
  await matrix(page).getByRole("radio", { name: "slowest 1 %" }).click();
  await expect(page.getByRole("table", { name: /slowest 1 % of reads/ })).toBeVisible();
  await matrix(page).getByRole("button", { name: "Submission queue" }).click();
  await expect(page.getByText(/arbitration and weights decide here\. Now/)).toBeVisible();
  await page.keyboard.press("Escape");

  await page.getByRole("button", { name: "Fabric as tables" }).click();
  await page.getByRole("tab", { name: "Nodes" }).click();
  await expect(page.getByRole("button", { name: "h0", exact: true })).toHaveCount(0);
  await page.getByRole("button", { name: "h3", exact: true }).click();
  await expect(page.getByRole("navigation", { name: "Device" })).toContainText("h3");
  await expect(page).toHaveURL(/#/);
  const queues = page.getByRole("img", { name: /commands wait at h3/ });
  await expect(queues).toHaveAccessibleName(/of High, .* of Medium, .* of Low\. Weighted round robin/);

  await page.getByLabel("Treatment of classes").selectOption("agnostic");
  await expect(page.getByText(/^No effect .*: storage does not look at the class/).last()).toBeVisible();
  await expect(queues).toHaveAccessibleName(/of High, Medium, Low/);
  await page.getByRole("button", { name: "Fabric", exact: true }).click();
  await expect(recorded(page)).toHaveText([/Treatment of classes.*Agnostic/]);
  await asFastAsPossible(page);
  await page.getByRole("button", { name: "Play", exact: true }).click();
  await ended(page);
  expect(await digest(page)).toMatch(/^[0-9a-f]{16}$/);
  expect(faults).toEqual([]);
});

test("the view of a device has twins in text, and its link shows it again", async ({ browser }) => {
  const page = await (await browser.newContext({ reducedMotion: "reduce" })).newPage();
  const faults = faultsOf(page);
  const view = JSON.stringify({ view: "storage", state: { stages: "p99" } });
  await page.goto(link(view));
  const first = await digest(page);
  await expect(page.getByRole("table", { name: /slowest 1 %/ })).toBeVisible();
  for (const [name, table] of [
    [/commands wait at h3/, /^Submission queues to flash, table/],
    [/chips of h3 are busy/, /^Chips, table/],
    [/of the blocks are free/, /^Free blocks, table/],
    [/^Device latency/, /^Device latency, table/],
  ] as const) {
    await page.getByRole("img", { name }).focus();
    await page.keyboard.press("t");
    await expect(page.getByRole("region", { name: table })).toBeFocused();
    await page.keyboard.press("Escape");
    await expect(page.getByRole("img", { name })).toBeFocused();
  }
  const share = page.getByRole("table", { name: /^Share of the requests done lately/ });
  await expect(share.getByRole("rowheader", { name: "High" })).toBeVisible();
  await page.getByRole("button", { name: "Explore", exact: true }).click();
  await page.getByRole("button", { name: "Storage", exact: true }).first().click();
  await expect(page).toHaveURL(/#/);
  expect(await digest(page)).toBe(first);
  expect(faults).toEqual([]);
});

test("a server gets a second device, moves with its workloads, and comes back by undo; its link has it all", {
  tag: "@full",
}, async ({ page, browser }) => {
  const faults = faultsOf(page);
  await page.goto("./");
  await passed(page, 200);
  const panel = page.getByRole("region", { name: "Storage", exact: true });
  await panel.getByRole("button", { name: /^h12 1 SSD/ }).click();
  await expect(panel.getByText("Target of 3 workloads: High, Medium, Low.")).toBeVisible();
  await panel.getByRole("button", { name: "Persistent memory" }).click();
  await expect(panel.getByText("2 devices")).toBeVisible();

  const name = panel.getByLabel("Name of pm0");
  await name.fill("ssd");
  await name.press("Enter");
  await expect(panel.getByRole("alert")).toContainText("Give every device of a server a name of its own.");
  await name.fill("log");
  await name.press("Enter");
  await expect(panel.getByLabel("Name of log")).toBeVisible();

  await panel.getByLabel("Host", { exact: true }).fill("h15");
  await page.keyboard.press("Enter");
  await expect(panel.getByRole("button", { name: /^h15 1 SSD, 1 memory/ })).toBeVisible();
  await expect(page.getByRole("button", { name: /^High.*h0 → h15/ })).toBeVisible();
  await asFastAsPossible(page);
  await ended(page);
  const moved = await digest(page);

  const other = await (await browser.newContext({ reducedMotion: "reduce" })).newPage();
  await other.goto(page.url());
  expect(await digest(other)).toBe(moved);
  await page.locator("h1").click();
  await page.keyboard.press("Escape");
  await page.keyboard.press("Control+z");
  await expect(panel.getByRole("button", { name: /^h12 1 SSD, 1 memory/ })).toBeVisible();
  expect(faults).toEqual([]);
});

test("without devices the view says so, and one button gives the scenario some", async ({ page }) => {
  await openThreeWriters(page);
  await passed(page, 300);
  await page.getByRole("navigation", { name: "Views" }).getByRole("button", { name: "Storage" }).click();
  await expect(page.getByRole("heading", { name: "No storage devices" })).toBeVisible();
  const notice = page.getByRole("region", { name: "No storage devices" });
  await notice.getByRole("button", { name: "Go on to the devices" }).click();
  await expect(page.getByRole("img", { name: /commands wait at/ })).toBeVisible();
});

for (const [frame, width, height] of WINDOWS) {
  const tag = frame === "desk" ? [] : "@full";
  test(`WCAG 2.2 AA of a device: ${frame}`, { tag }, async ({ browser }) => {
    const context = await browser.newContext({ viewport: { width, height }, reducedMotion: "reduce" });
    const page = await context.newPage();
    await page.goto(link('{"view":"storage"}'));
    await digest(page);
    await expect(page.getByRole("img", { name: /commands wait at h3/ })).toBeVisible();
    await expectAccessible(page);
  });
}
