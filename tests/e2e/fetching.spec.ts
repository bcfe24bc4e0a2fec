import { expect, type Page, type Route, test } from "@playwright/test";
import { encodeFragment } from "../../web/src/scenario/codec.ts";
import { passed, preset, timeUs } from "./explorer";

/** The page without the scripts that it fetches when it is idle: each comes with its first use. */
async function open(page: Page, fragment = ""): Promise<void> {
  await page.addInitScript(() => {
    window.requestIdleCallback = () => 0;
  });
  await page.goto(`./${fragment}`);
  await passed(page, 100);
}

const views = (page: Page) => page.getByRole("navigation", { name: "Views" });
const failure = (page: Page) => page.getByRole("status").filter({ hasText: "could not be fetched" });
const play = (page: Page) => page.getByRole("button", { name: "Pause", exact: true });

/** Has the requests for a script wait until they are let go. */
async function delay(page: Page, script: RegExp): Promise<() => Promise<void>> {
  const waiting: Route[] = [];
  let open = false;
  await page.route(script, (route) => (open ? route.continue() : void waiting.push(route)));
  return async () => {
    open = true;
    await Promise.all(waiting.map((route) => route.continue()));
  };
}

/** Has the requests for a script fail until they are let through. */
async function fail(page: Page, script: RegExp): Promise<() => Promise<void>> {
  await page.route(script, (route) => route.abort());
  return () => page.unroute(script);
}

for (const { view, script, shows } of [
  { view: "Compare", script: /\/Compare-[^/]*\.js/, shows: "What differs" },
  { view: "Storage", script: /\/Storage-[^/]*\.js/, shows: "Fabric" },
  { view: "Plan", script: /\/Plan-[^/]*\.js/, shows: "Contracts" },
]) {
  test(`${view} that comes slowly leaves the bars and the run, and appears in its own place`, async ({
    page,
  }) => {
    await open(page);
    const come = await delay(page, script);
    await views(page).getByRole("button", { name: view }).click();
    await expect(page.getByRole("main")).toContainText(`Fetching ${view}`);
    await expect(page.getByRole("banner")).toBeVisible();
    await expect(page.getByRole("region", { name: "Time" })).toBeVisible();
    const before = await timeUs(page);
    await passed(page, before);
    await play(page).click();
    await expect(page.locator("html")).toHaveAttribute("data-run-state", "paused");
    await come();
    await expect(page.getByRole("main")).toContainText(shows);
  });

  test(`${view} that fails to come says so between the bars, and can be tried again`, async ({ page }) => {
    await open(page);
    const mend = await fail(page, script);
    await views(page).getByRole("button", { name: view }).click();
    const alert = page.getByRole("alert");
    await expect(alert).toContainText(`${view} cannot be fetched`);
    await expect(page.getByRole("region", { name: "Time" })).toBeVisible();
    await alert.getByRole("button", { name: "Try again" }).click();
    await expect(alert).toContainText(`${view} cannot be fetched`);
    await mend();
    await alert.getByRole("button", { name: "Try again" }).click();
    await expect(page.getByRole("main")).toContainText(shows);
  });
}

test("what edits the network and comes slowly leaves the bars and the drawing", async ({ page }) => {
  await open(page);
  const come = await delay(page, /\/NetworkTools-[^/]*\.js/);
  await page.keyboard.press("e");
  await expect(page.getByRole("main")).toContainText("Fetching the tools of the network");
  await expect(page.locator("[data-chart=fabric]")).toBeVisible();
  await expect(play(page)).toBeVisible();
  await come();
  await expect(page.getByRole("button", { name: "Add host" })).toBeVisible();
});

test("Share that fails to come leaves the bar at the top, and a notice tries it again", async ({ page }) => {
  await open(page);
  const mend = await fail(page, /\/SharePopover-[^/]*\.js/);
  const share = page.getByRole("button", { name: "Share", exact: true });
  await share.click();
  await expect(failure(page)).toBeVisible();
  await expect(page.getByRole("alert")).toHaveCount(0);
  await expect(share).toBeVisible();
  await failure(page).getByRole("button", { name: "Dismiss" }).click();
  await expect(failure(page)).toHaveCount(0);
  await share.click();
  await expect(failure(page)).toBeVisible();
  await mend();
  await failure(page).getByRole("button", { name: "Try again" }).click();
  await expect(page.getByRole("dialog", { name: "Share this run" })).toBeVisible();
  await expect(failure(page)).toHaveCount(0);
});

test("the frame of every popover that fails to come can be tried again", async ({ page }) => {
  await open(page);
  const mend = await fail(page, /\/Popover-[^/]*\.js/);
  await page.keyboard.press("/");
  await expect(failure(page)).toBeVisible();
  await mend();
  await failure(page).getByRole("button", { name: "Try again" }).click();
  await expect(page.getByLabel("Find a scenario")).toBeVisible();
});

test("a file that is asked for is saved once its script has come", async ({ page }) => {
  await open(page);
  const mend = await fail(page, /\/exportRun-[^/]*\.js/);
  await page.getByRole("button", { name: "Share", exact: true }).click();
  await page.getByRole("button", { name: "Run as CSV" }).click();
  await expect(failure(page)).toBeVisible();
  await mend();
  const download = page.waitForEvent("download");
  await failure(page).getByRole("button", { name: "Try again" }).click();
  expect((await download).suggestedFilename()).toMatch(/\.csv$/);
});

test("an engine that fails to come can be tried again", async ({ page }) => {
  const mend = await fail(page, /\/qoscope_wasm_bg-[^/]*\.wasm/);
  await page.goto("./");
  const dialog = page.getByRole("dialog", { name: "The engine could not be fetched" });
  await expect(dialog).toBeVisible();
  await mend();
  await dialog.getByRole("button", { name: "Try again" }).click();
  await passed(page, 100);
  await expect(dialog).toHaveCount(0);
});

test("a link whose check fails to come can be tried again", async ({ page }) => {
  const mend = await fail(page, /\/openingWorker-[^/]*\.js/);
  await page.goto(`./${encodeFragment(preset("three-writers"))}`);
  await expect(page.getByRole("main")).toContainText("could not be fetched");
  await mend();
  await page.getByRole("button", { name: "Try again" }).click();
  await passed(page, 100);
});
