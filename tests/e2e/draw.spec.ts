import { readFileSync } from "node:fs";
import { expect, type Page, test } from "@playwright/test";
import { encodeFragment } from "../../web/src/scenario/codec.ts";
import type { Scenario } from "../../web/src/scenario/types.ts";
import { violations } from "./accessible";
import { carriedGbps, digest, ended, faultsOf, openThreeWriters, passed, threeWriters } from "./explorer";

const sheet = (page: Page) => page.getByRole("listbox", { name: /^The network/ });
const node = (page: Page, name: string) => page.locator(`[data-node="${name}"]`);
const inspector = (page: Page) => page.getByRole("complementary", { name: "Inspector" });
const title = (page: Page) => page.getByRole("heading", { name: /^Fabric/ });

async function middle(page: Page, name: string): Promise<{ x: number; y: number }> {
  const box = await node(page, name).boundingBox();
  if (!box) throw new Error(`${name} is not in the drawing`);
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

async function drag(page: Page, from: string, to: { x: number; y: number }): Promise<void> {
  const { x, y } = await middle(page, from);
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(to.x, to.y, { steps: 4 });
  await page.mouse.up();
}

test("a host names the classes that send from it, and shows how many more there are than markers", async ({
  page,
}) => {
  const names = ["High", "Medium", "Low", "PM", "Best effort"];
  const [workload] = threeWriters.workloads;
  const pairs = { kind: "pairs", targets: ["h12"] };
  const from = (host: string, senders: readonly string[]) =>
    senders.map((name) => ({ ...workload, class: name, endpoints: { ...pairs, initiators: [host] } }));
  const crowded = {
    ...threeWriters,
    classes: names.map((name) => ({ name })),
    workloads: [...from("h0", names.slice(0, 3)), ...from("h2", names)],
  } as unknown as Scenario;
  await page.goto(`./${encodeFragment(crowded, JSON.stringify({ state: { edit: true } }))}`);
  await expect(node(page, "h0")).toHaveAccessibleName("h0, host, sends High, Medium, Low");
  await expect(node(page, "h2")).toHaveAccessibleName(`h2, host, sends ${names.join(", ")}`);
  const more = page.locator("[data-chart=fabric] text", { hasText: "+2" }).filter({ visible: true });
  await expect(more).toHaveCount(1);
  const [beside, host] = [await more.boundingBox(), await node(page, "h2").boundingBox()];
  expect(beside?.x).toBeGreaterThan(host?.x ?? Number.POSITIVE_INFINITY);
  expect((beside?.x ?? 0) - (host?.x ?? 0)).toBeLessThan(30);
});

test("a link fails while the run goes on, traffic goes round it, and it is mended", async ({ page }) => {
  const faults = faultsOf(page);
  const long: Scenario = { ...threeWriters, durationUs: 200_000 };
  await page.goto(`./${encodeFragment(long)}`);
  await passed(page, 2000);
  await page.keyboard.press("e");
  await node(page, "h12").click();
  await expect(inspector(page)).toContainText("h12 storage server");
  await inspector(page).getByRole("button", { name: "Fail", exact: true }).click();
  await expect(title(page)).toContainText("1 failed");
  await page.getByRole("radio", { name: "Watch" }).click();
  // The only cable of the server: nothing gets through any more.
  await expect.poll(() => carriedGbps(page, "High")).toBeLessThan(1);
  await page.keyboard.press("e");
  await node(page, "h12").click();
  await inspector(page).getByRole("button", { name: "Restore" }).click();
  await page.getByRole("radio", { name: "Watch" }).click();
  await expect.poll(() => carriedGbps(page, "High")).toBeGreaterThan(20);
  expect(faults).toEqual([]);
});

/** Where nodes stand on the page. */
const standing = (page: Page, names: readonly string[]) =>
  Promise.all(names.map((name) => middle(page, name)));

test("nothing moves where the network is edited: neither with the mode, nor with the first stroke, nor zoomed in", async ({
  page,
}) => {
  const faults = faultsOf(page);
  await openThreeWriters(page);
  await passed(page, 100);
  const fabric = page.locator("[data-chart=fabric]");
  const name = fabric.locator("text", { hasText: "a1.0" }).filter({ visible: true });
  const [watched, frame] = [await name.boundingBox(), await fabric.boundingBox()];
  await page.keyboard.press("e");
  await expect(sheet(page)).toBeVisible();
  expect(await name.boundingBox()).toEqual(watched);
  expect(await fabric.boundingBox()).toEqual(frame);

  await sheet(page).focus();
  await page.keyboard.press("+");
  await page.keyboard.press("+");
  await expect(page.getByRole("button", { name: "Whole fabric" })).toBeVisible();
  const others = ["a1.0", "a2.0", "e1.1"];
  const before = await standing(page, others);
  const { x, y } = await middle(page, "a1.1");
  await drag(page, "a1.1", { x: x + 20, y: y + 40 });
  await expect(page.getByLabel("Topology", { exact: false }).first()).toHaveValue("custom");
  for (const [i, at] of (await standing(page, others)).entries()) {
    expect(Math.abs(at.x - (before[i]?.x ?? 0))).toBeLessThan(1.5);
    expect(Math.abs(at.y - (before[i]?.y ?? 0))).toBeLessThan(1.5);
  }
  await expect.poll(async () => Math.abs((await middle(page, "a1.1")).y - y - 40)).toBeLessThan(1.5);
  // What is out of sight comes into it with the keyboard.
  await sheet(page).focus();
  await page.keyboard.press("Home");
  await expect(node(page, "h0")).toBeInViewport();
  expect(faults).toEqual([]);
});

test("a network that is drawn runs as the generator's did, until something is added", async ({
  page,
  browser,
}) => {
  test.slow();
  await openThreeWriters(page);
  await page.getByLabel("Speed, simulated time per second").selectOption("Infinity");
  await ended(page);
  const before = await digest(page);
  await page.keyboard.press("e");
  const { x, y } = await middle(page, "h1");
  await drag(page, "h1", { x: x + 10, y: y + 30 });
  await expect(page.getByLabel("Topology", { exact: false }).first()).toHaveValue("custom");
  await ended(page);
  expect(await digest(page)).toBe(before);

  await page.getByRole("button", { name: /^Add host/ }).click();
  const box = await sheet(page).boundingBox();
  await page.mouse.click((box?.x ?? 0) + 40, (box?.y ?? 0) + 40);
  await expect(title(page)).toContainText("17 hosts");
  await expect(inspector(page).getByLabel("Name")).toHaveValue("h16");
  await page.getByRole("button", { name: /^Connect/ }).click();
  await drag(page, "h16", await middle(page, "e3.1"));
  await expect(inspector(page)).toContainText("Nothing chosen");
  await page.getByRole("button", { name: /^Draw traffic/ }).click();
  await drag(page, "h16", await middle(page, "h12"));
  await node(page, "h16").click();
  await page.getByRole("button", { name: /^Select and move/ }).click();
  await node(page, "h16").click();
  await expect(inspector(page)).toContainText("Traffic of High");
  await expect(inspector(page)).toContainText("e3.1");
  await page.getByRole("button", { name: /^Remove host/ }).click();
  await expect(page.getByRole("status").filter({ hasText: "carries traffic of High" })).toBeVisible();

  const other = await browser.newPage();
  await expect(page).toHaveURL(/#3\./);
  await other.goto(page.url());
  await expect(title(other)).toContainText("17 hosts, 20 switches");
  await other.close();
  await page.keyboard.press("Control+z");
  await page.keyboard.press("Control+z");
  await page.keyboard.press("Control+z");
  await expect(title(page)).toContainText("16 hosts");
});

test("everything is drawn by keyboard, too, and its text twin follows", async ({ page }) => {
  await openThreeWriters(page);
  await passed(page, 100);
  await page.keyboard.press("e");
  await sheet(page).focus();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Enter");
  await expect(inspector(page)).toContainText("h1 host");
  await page.keyboard.press("l");
  await expect(inspector(page)).toContainText("h1 to e0.0");
  await page.keyboard.press("f");
  await expect(title(page)).toContainText("1 failed");
  await page.keyboard.press("f");
  await expect(title(page)).not.toContainText("failed");
  await page.getByRole("button", { name: "Fabric as text below" }).click();
  await page.getByRole("tab", { name: "Nodes" }).click();
  await page.getByRole("button", { name: "a0.1", exact: true }).click();
  await expect(inspector(page)).toContainText("a0.1 switch");
  expect(await violations(page)).toEqual([]);
});

test("host_cable_and_traffic_are_drawn_with_keys_alone", async ({ page }) => {
  const faults = faultsOf(page);
  await openThreeWriters(page);
  await passed(page, 100);
  await page.keyboard.press("e");
  await expect(sheet(page)).toBeFocused();
  const status = page.getByRole("status").filter({ hasText: /\S/ });

  await page.keyboard.press("h");
  await expect(page.getByRole("button", { name: /^Add host/, pressed: true })).toBeVisible();
  await page.keyboard.press("Enter");
  await expect(title(page)).toContainText("17 hosts");
  await expect(inspector(page).getByLabel("Name")).toHaveValue("h16");
  const added = sheet(page).locator("[data-node=h16]");
  await expect(sheet(page)).toHaveAttribute("aria-activedescendant", (await added.getAttribute("id")) ?? "");

  await page.keyboard.press("w");
  await page.keyboard.press("Enter");
  await expect(status.filter({ hasText: "From h16" })).toBeVisible();
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("Enter");
  await expect(
    status.filter({ hasText: /is a switch\. Draw from a host to a storage server/ }),
  ).toBeVisible();
  await page.keyboard.press("v");
  await expect(page.getByText(/is a switch\. Draw from/)).toHaveCount(0);

  // The first node, and the one that was added last.
  await page.keyboard.press("w");
  await page.keyboard.press("Home");
  await page.keyboard.press("Enter");
  await expect(status.filter({ hasText: "From h0" })).toBeVisible();
  await page.keyboard.press("End");
  await page.keyboard.press("Enter");
  await expect(node(page, "h16")).toHaveAccessibleName("h16, storage server");

  await page.keyboard.press("s");
  await page.keyboard.press("Enter");
  await expect(title(page)).toContainText("21 switches, 50 links");
  await page.keyboard.press("c");
  await page.keyboard.press("End");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Home");
  await page.keyboard.press("Enter");
  await page.keyboard.press("v");
  await page.keyboard.press("Enter");
  await expect(inspector(page)).toContainText("h0 host");
  await expect(inspector(page)).toContainText("sw0");
  expect(faults).toEqual([]);
});

test("keys of the tools act wherever the focus is, and F stays in Edit", async ({ page }) => {
  await openThreeWriters(page);
  await passed(page, 100);
  await page.getByRole("radio", { name: "Edit" }).click();
  await expect(page.getByRole("button", { name: /^Select and move/, pressed: true })).toBeVisible();
  for (const [key, name] of [
    ["h", "Add host"],
    ["d", "Add storage server"],
    ["s", "Add switch"],
    ["c", "Connect"],
    ["w", "Draw traffic"],
    ["f", "Fail or restore link"],
    ["v", "Select and move"],
  ] as const) {
    await page.getByRole("button", { name: "Undo" }).focus();
    await page.keyboard.press(key);
    await expect(page.getByRole("button", { name: new RegExp(`^${name}`), pressed: true })).toBeVisible();
    await expect(sheet(page)).toBeFocused();
  }
  // In a field a letter is a letter.
  await node(page, "h1").click();
  await inspector(page).getByLabel("Name").focus();
  await page.keyboard.press("h");
  await expect(page.getByRole("button", { name: /^Select and move/, pressed: true })).toBeVisible();
});

test("networks come from files and go into them; one that cannot be read says where and why", async ({
  page,
}) => {
  await openThreeWriters(page);
  await passed(page, 100);
  await page.keyboard.press("e");
  const file = page.getByLabel("Topology file");
  const give = (name: string, text: string) =>
    file.setInputFiles({ name, mimeType: "text/plain", buffer: Buffer.from(text) });
  await give(
    "hpcc.txt",
    "6 2 5\n4 5\n0 4 100Gbps 1us 0\n1 4 100Gbps 1us 0\n2 5 100Gbps 1us 0\n3 5 100Gbps 1us 0\n4 5 40Gbps 1us 0\n",
  );
  await expect(title(page)).toContainText("4 hosts, 2 switches, 5 links");
  await expect(page.getByRole("alert")).toHaveText("4 hosts, 2 switches, 5 links.");
  await give("edges.txt", "a s\nb s\ns b");
  await expect(page.getByRole("alert")).toHaveText(
    /^edges.txt, line 3: links "s" and "b", which line 2 links already\. Two nodes have one link here: write parallel links as one/,
  );
  await expect(title(page)).toContainText("4 hosts");
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Edge list" }).click();
  expect(await (await download).path().then((path) => readFileSync(path, "utf8"))).toContain("s4 s5 40 1");
  await page.getByRole("button", { name: "Empty sheet" }).click();
  await expect(title(page)).toContainText("1 switch,");
  expect(await violations(page)).toEqual([]);
});
