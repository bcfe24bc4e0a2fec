import { readdirSync } from "node:fs";
import { expect, type Page, test } from "@playwright/test";
import { deflateSync } from "fflate";
import { encodeFragment } from "../../web/src/scenario/codec.ts";
import {
  asFastAsPossible,
  digest,
  ended,
  FIRST_TITLE,
  faultsOf,
  openPreset,
  openThreeWriters,
  passed,
  threeWriters,
  timeUs,
} from "./explorer";

const K = "ECN threshold";
const slider = (page: Page) => page.getByRole("slider", { name: `${K}, slider` });
const field = (page: Page) => page.getByLabel(K, { exact: true });
const recorded = (page: Page) => page.locator(".recorded li");

/** Presses the pointer on a slider, moves it in small steps, and leaves it pressed. */
async function drag(page: Page, from: number, to: number): Promise<void> {
  await slider(page).scrollIntoViewIfNeeded();
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
  // A key that is held down repeats.
  for (let press = 0; press < 10; press++) await page.keyboard.down("ArrowLeft");
  await page.keyboard.up("ArrowLeft");
  await expect(recorded(page)).toHaveCount(1);
  await expect(field(page)).toHaveValue("25");
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
  await expect(page).toHaveTitle(/Writes at the sender with DCTCP/);
  await passed(page, 0);
  await page.goBack();
  await expect(page).toHaveTitle(FIRST_TITLE);
  await expect(recorded(page)).toHaveCount(1);
  await page.goForward();
  await expect(page).toHaveTitle(/Writes at the sender with DCTCP/);
  await page.locator("h1").click();
  await page.keyboard.press("Control+z");
  await expect(page).toHaveTitle(FIRST_TITLE);
  await expect(recorded(page)).toHaveText([/K 77/]);
  await page.keyboard.press("Control+Shift+z");
  await expect(page).toHaveTitle(/Writes at the sender with DCTCP/);
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
  await expect(page).toHaveTitle(/Writes at the sender with DCTCP/);
  await page.reload();
  await expect(page).toHaveTitle(/Writes at the sender with DCTCP/);
  await page.goBack();
  await expect(page).toHaveTitle(FIRST_TITLE);
  await expect(recorded(page)).toHaveText([/K 77/]);
});

const charts = (page: Page) =>
  page
    .locator(".series [data-chart]")
    .evaluateAll((all) => all.map((chart) => chart.getAttribute("data-chart")));

test("a link shows the charts and quantities that were chosen, over the same run", async ({
  page,
  browser,
}) => {
  const faults = faultsOf(page);
  await openThreeWriters(page);
  await passed(page, 200);
  const choose = async (title: string, next: RegExp) => {
    await page.getByRole("button", { name: `${title}, choose what the chart shows` }).click();
    await page.getByRole("menuitemradio", { name: next }).click();
  };
  await choose("Bottleneck queue", /^RTT µs/);
  await choose("Quality factor", /^Sending rate/);
  const single = (where: Page) =>
    where.getByRole("region", { name: "Sending rate" }).getByRole("radio", { name: "Connections" });
  await single(page).check();
  await page.getByRole("button", { name: "Fabric as tables" }).click();
  await expect.poll(() => charts(page)).toEqual(["throughput", "rateGbps", "rttUs"]);
  await asFastAsPossible(page);
  await ended(page);
  const first = await digest(page);

  await page.getByRole("button", { name: "Share", exact: true }).click();
  const link = await page.getByLabel("Link", { exact: true }).inputValue();
  expect(link).toContain("#3.");
  await expect.poll(() => page.url()).toBe(link);
  expect(await page.evaluate(() => history.length)).toBeLessThanOrEqual(2);

  const context = await browser.newContext({ reducedMotion: "reduce" });
  const other = await context.newPage();
  await other.goto(link);
  expect(await digest(other)).toBe(first);
  await expect.poll(() => charts(other)).toEqual(["throughput", "rateGbps", "rttUs"]);
  await expect(single(other)).toBeChecked();
  await expect(other.getByRole("button", { name: "Fabric as picture" })).toBeVisible();

  // Cut by a mail program, the view is lost and the scenario is not.
  await other.goto("about:blank");
  await other.goto(link.slice(0, -12));
  expect(await digest(other)).toBe(first);
  await expect(other.locator(".notice")).toContainText("missing or damaged");
  await expect.poll(() => charts(other)).toEqual(["throughput", "quality", "queue"]);
  await context.close();
  expect(faults).toEqual([]);
});

test("links of the first versions open, with the charts as they are at first", async ({ browser }) => {
  const packed = deflateSync(new TextEncoder().encode(JSON.stringify(threeWriters)));
  const context = await browser.newContext({ reducedMotion: "reduce" });
  const digests = [];
  for (const link of [`#1.${Buffer.from(packed).toString("base64url")}`, encodeFragment(threeWriters)]) {
    const page = await context.newPage();
    await page.goto(`./${link}`);
    digests.push(await digest(page));
    await expect(page).toHaveTitle(/Three writers/);
    await expect.poll(() => charts(page)).toEqual(["throughput", "quality", "queue"]);
    await expect(page.locator(".notice")).toHaveCount(0);
    await expect.poll(() => page.evaluate(() => location.hash)).toMatch(/^#2\./);
    await page.close();
  }
  expect(digests[0]).toBe(digests[1]);
  await context.close();
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
  const noticedMs = await page.evaluate(
    (beganMs) =>
      new Promise<number>((resolve) => {
        const look = () => {
          const noticed = [...document.querySelectorAll(".notice")].some((notice) =>
            notice.textContent?.includes("The engine has stopped answering"),
          );
          if (noticed) resolve(performance.now() - beganMs);
          else requestAnimationFrame(look);
        };
        look();
      }),
    await page.evaluate(() => performance.now()),
  );
  expect(noticedMs).toBeLessThan(2500);
  const notice = page.locator(".notice", { hasText: "The engine has stopped answering" });
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
  await expect(dialog).not.toContainText(/\b0 MB/);
  await dialog.getByRole("button", { name: /^Resume at/ }).click();
  await passed(page, stood);
  await expect(dialog).toHaveCount(0);
});

test("what opens over the page is there without the network, once the page has been idle", async ({
  page,
  context,
}) => {
  await exposeWorkers(page);
  await page.goto("./");
  // All but workers, lists that come when they are asked for, and views that come when they are first opened.
  const scripts = readdirSync("dist/assets").filter((name) =>
    /^(?!Figures|Learn|Sweep|Study|openStudy|aboutTime-|named-|picture-|scenarios-|PictureChart|PresetList|FabricTables|Network|editing|tools|embedHost|parquet|.*[wW]orker).*\.js$/.test(
      name,
    ),
  );
  const missing = async () => {
    const come = await page.evaluate(() => performance.getEntriesByType("resource").map(({ name }) => name));
    return scripts.filter((script) => !come.some((address) => address.endsWith(`/${script}`)));
  };
  await expect.poll(missing).toEqual([]);
  await context.setOffline(true);
  await page.keyboard.press("?");
  await page
    .getByRole("dialog", { name: "Shortcuts and help" })
    .getByRole("button", { name: "Close" })
    .click();
  await page.getByRole("button", { name: "Share", exact: true }).click();
  await expect(page.getByRole("dialog", { name: "Share this run" }).getByLabel("Link")).toHaveValue(
    /#[23]\./,
  );
  await page.keyboard.press("Escape");
  await lastWorker(page, "fail");
  await expect(page.getByRole("dialog", { name: /^The engine stopped at/ })).toBeVisible();
});

test("address_set_while_the_page_loads_is_opened", async ({ page }) => {
  const another = encodeFragment({ ...threeWriters, name: "Set while loading" });
  await page.addInitScript((hash) => {
    // Modules have run by then, and React has not rendered yet.
    document.addEventListener("DOMContentLoaded", () => location.replace(hash), { once: true });
  }, another);
  await page.goto("./");
  await expect(page.getByRole("button", { name: "Set while loading" })).toBeVisible();
});

test("pinned_baseline_is_announced_in_its_own_view_only", async ({ page }) => {
  await openThreeWriters(page);
  await passed(page, 100);
  const views = page.getByRole("navigation", { name: "Views" });
  const notice = page.getByText("This run is the baseline now.");
  await page.keyboard.press("b");
  await expect(notice).toBeVisible();
  await views.getByRole("button", { name: "Learn" }).click();
  await expect(notice).toHaveCount(0);
  await views.getByRole("button", { name: "Explore" }).click();
  await expect(notice).toBeVisible();
  await page.getByRole("button", { name: "Dismiss" }).click();
  await views.getByRole("button", { name: "Learn" }).click();
  await page.keyboard.press("b");
  await views.getByRole("button", { name: "Explore" }).click();
  await expect(notice).toHaveCount(0);
});
