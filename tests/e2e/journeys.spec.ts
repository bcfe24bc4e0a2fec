import { expect, type Page, test } from "@playwright/test";
import { asFastAsPossible, digest, ended, faultsOf, openPreset, passed, timeUs } from "./explorer";

const K = "ECN threshold";
const slider = (page: Page) => page.getByRole("slider", { name: `${K}, slider` });
const field = (page: Page) => page.getByLabel(K, { exact: true });
const recorded = (page: Page) => page.locator(".recorded li");

/** Presses the pointer on a slider, moves it in small steps, and leaves it pressed. */
async function drag(page: Page, from: number, to: number): Promise<void> {
  const box = await page
    .locator(".slider-control")
    .filter({ has: slider(page) })
    .boundingBox();
  if (!box) throw new Error("the slider is not shown");
  const x = (share: number) => box.x + 8 + share * (box.width - 16);
  const y = box.y + box.height / 2;
  await page.mouse.move(x(from), y);
  await page.mouse.down();
  await page.mouse.move(x(to), y, { steps: 30 });
}

test("a drag holds the run, and is one entry of the timeline that replays to the same digest", async ({
  page,
  browser,
}) => {
  const faults = faultsOf(page);
  await page.goto("./");
  await passed(page, 500);
  await drag(page, 0.8, 0.2);
  const during = await field(page).inputValue();
  expect(Number(during)).toBeLessThan(60);
  const held = await timeUs(page);
  await expect(recorded(page)).toHaveCount(0);
  await page.mouse.up();
  await expect(recorded(page)).toHaveCount(1);
  await expect(field(page)).toHaveValue(during);
  await passed(page, held);
  await asFastAsPossible(page);
  await ended(page);
  await expect(recorded(page)).toHaveCount(1);
  const live = await digest(page);
  const link = page.url();

  const other = await (await browser.newContext({ reducedMotion: "reduce" })).newPage();
  await other.goto(link);
  expect(await digest(other)).toBe(live);
  expect(faults).toEqual([]);
});

test("a burst of keys on a slider is one entry", async ({ page }) => {
  await page.goto("./");
  await passed(page, 500);
  await slider(page).focus();
  for (let press = 0; press < 10; press++) await page.keyboard.press("ArrowLeft");
  await expect(recorded(page)).toHaveCount(1);
  await expect(field(page)).toHaveValue("130");
});

test("a drag cannot cross the end of the run: simulated time waits for it", async ({ page }) => {
  await page.goto("./");
  await passed(page, 500);
  await drag(page, 0.8, 0.2);
  const held = await timeUs(page);
  await asFastAsPossible(page);
  await page.mouse.move(5, 5, { steps: 60 });
  expect(await timeUs(page)).toBe(held);
  await page.mouse.up();
  await ended(page);
  await expect(recorded(page)).toHaveCount(1);
});

test("opening another scenario is undone by Ctrl+Z and by Back, with the edits that were made", async ({
  page,
}) => {
  const faults = faultsOf(page);
  await page.goto("./");
  await passed(page, 200);
  await field(page).fill("77");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Escape");
  await expect(recorded(page)).toHaveCount(1);
  await page.locator("h1").click();

  await openPreset(page, "dctcp fig12a");
  await expect(page).toHaveTitle(/fig\. 12a/);
  await passed(page, 0);
  await page.goBack();
  await expect(page).toHaveTitle(/Three writers/);
  await expect(recorded(page)).toHaveCount(1);
  await page.goForward();
  await expect(page).toHaveTitle(/fig\. 12a/);
  await page.locator("h1").click();
  await page.keyboard.press("Control+z");
  await expect(page).toHaveTitle(/Three writers/);
  await expect(recorded(page)).toHaveText([/K 77/]);
  await page.keyboard.press("Control+Shift+z");
  await expect(page).toHaveTitle(/fig\. 12a/);
  expect(faults).toEqual([]);
});

test("Back brings an edited scenario back after the page was loaded again", async ({ page }) => {
  await page.goto("./");
  await passed(page, 200);
  await field(page).fill("77");
  await page.keyboard.press("Enter");
  await expect(recorded(page)).toHaveCount(1);
  await page.keyboard.press("Escape");
  await page.locator("h1").click();
  await openPreset(page, "dctcp fig12a");
  await expect(page).toHaveTitle(/fig\. 12a/);
  await page.reload();
  await expect(page).toHaveTitle(/fig\. 12a/);
  await page.goBack();
  await expect(page).toHaveTitle(/Three writers/);
  await expect(recorded(page)).toHaveText([/K 77/]);
});

/** Lets a test reach the workers of the page: what they are sent can be lost, and they can be ended. */
const exposeWorkers = (page: Page) =>
  page.addInitScript(() => {
    const workers: Worker[] = [];
    Object.assign(window, { workers });
    window.Worker = class extends Worker {
      constructor(url: string | URL, options?: WorkerOptions) {
        super(url, options);
        if (options?.name === "qoscope engine") workers.push(this);
      }
    };
  });
const lastWorker = (page: Page, action: "terminate" | "fail") =>
  page.evaluate((action) => {
    const worker = (window as unknown as { workers: Worker[] }).workers.at(-1);
    if (action === "terminate") worker?.terminate();
    else
      worker?.dispatchEvent(new ErrorEvent("error", { message: "injected by the test", cancelable: true }));
  }, action);

test("a worker that is gone is noticed within two seconds, and the run resumes where it stood", async ({
  page,
}) => {
  const reference = await page.context().newPage();
  await reference.goto("./");
  await asFastAsPossible(reference);
  await ended(reference);
  const undisturbed = await digest(reference);
  await reference.close();

  await exposeWorkers(page);
  await page.goto("./");
  await passed(page, 500);
  await lastWorker(page, "terminate");
  const began = Date.now();
  const notice = page.locator(".notice", { hasText: "The engine has stopped answering" });
  await expect(notice).toBeVisible();
  expect(Date.now() - began).toBeLessThan(2500);
  const stood = await timeUs(page);
  await expect(notice).toContainText(`The run stood at ${(stood / 1000).toFixed(3)} ms`);
  await notice.getByRole("button", { name: /^Resume at/ }).click();
  await expect(notice).toHaveCount(0);
  await passed(page, stood);
  await asFastAsPossible(page);
  await ended(page);
  expect(await digest(page)).toBe(undisturbed);
});

test("an error in the worker says where the run stood, and the run resumes from there", async ({ page }) => {
  await exposeWorkers(page);
  await page.goto("./");
  await passed(page, 500);
  await lastWorker(page, "fail");
  const dialog = page.getByRole("dialog", { name: /^The engine stopped at/ });
  await expect(dialog).toBeVisible();
  const stood = await timeUs(page);
  await expect(dialog).toContainText(`The engine stopped at ${(stood / 1000).toFixed(3)} ms`);
  await expect(dialog).not.toContainText(" 0 MB");
  await dialog.getByRole("button", { name: /^Resume at/ }).click();
  await passed(page, stood);
  await expect(dialog).toHaveCount(0);
});
