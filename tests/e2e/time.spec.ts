import { expect, type Page, test } from "@playwright/test";
import { decodeView } from "../../web/src/scenario/codec.ts";
import {
  asFastAsPossible,
  briefWriters,
  ended,
  faultsOf,
  openBriefWriters,
  openThreeWriters,
  passed,
  timeUs,
} from "./explorer";

const chart = (page: Page) => page.locator("[data-chart=throughput]");
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

/** The stretch of time that the address says; null where it says none. */
function linkedTime(page: Page): readonly number[] | null {
  const linked = decodeView(new URL(page.url()).hash);
  return linked.kind === "json" ? (JSON.parse(linked.json).state?.time ?? null) : null;
}

/** What of the run the charts show, on the scrubber. */
const band = (page: Page) => page.locator(".scrubber-shown");

/** Clicks on the scrubber at a share of the run, and waits for the playhead. */
async function goTo(page: Page, share: number): Promise<void> {
  const box = await page.getByRole("slider", { name: "Position in the run" }).boundingBox();
  if (!box) throw new Error("no scrubber");
  await page.mouse.click(box.x + share * box.width, box.y + box.height / 2);
  await expect(page.locator("html")).toHaveAttribute("data-run-state", "paused");
}

test("a stretch of the run fills the charts, by wheel, keys and buttons, and is in the link", async ({
  page,
}) => {
  const errors = faultsOf(page);
  await openBriefWriters(page);
  await asFastAsPossible(page);
  await ended(page);
  await goTo(page, 0.5);
  await chart(page).hover();
  await page.mouse.wheel(0, 200);
  await expect(band(page)).toHaveCount(0);

  await page.keyboard.down("Control");
  await page.mouse.wheel(0, -300);
  await page.keyboard.up("Control");
  await expect(band(page)).toBeVisible();
  const wide = (await band(page).boundingBox())?.width ?? 0;
  await button(page, "Zoom in").click();
  await expect.poll(async () => (await band(page).boundingBox())?.width ?? 0).toBeLessThan(0.6 * wide);

  const before = (await band(page).boundingBox())?.x ?? 0;
  await chart(page).focus();
  await page.keyboard.press("PageDown");
  await expect.poll(async () => (await band(page).boundingBox())?.x ?? 0).toBeGreaterThan(before);
  await expect.poll(() => linkedTime(page)).not.toBeNull();

  const other = await page.context().newPage();
  await other.goto(page.url());
  const [fromUs = 0] = linkedTime(other) ?? [];
  const left = Number(((fromUs / briefWriters.durationUs) * 100).toFixed(3));
  await expect(band(other)).toHaveAttribute("style", new RegExp(`left: ${left}%`));
  await other.close();

  await page.keyboard.press("0");
  await expect(band(page)).toHaveCount(0);
  await page.keyboard.press("+");
  await expect(band(page)).toBeVisible();
  await button(page, "Whole run").click();
  await expect(band(page)).toHaveCount(0);
  expect(errors).toEqual([]);
});

test("a run that has ended goes back by steps, is changed there, and keeps its old future until undone", async ({
  page,
}) => {
  const errors = faultsOf(page);
  await openBriefWriters(page);
  await asFastAsPossible(page);
  await ended(page);
  await goTo(page, 0.5);
  const there = await timeUs(page);
  await page.getByLabel("Length of a step").selectOption("sample");
  await page.keyboard.press("Escape");
  await button(page, "Step back by 1 sample").click();
  await expect.poll(() => timeUs(page)).toBeLessThan(there);
  // On its way there it runs from a state that was kept.
  await expect(page.locator("html")).toHaveAttribute("data-run-state", "paused");
  const at = await timeUs(page);

  await page.getByLabel("High, transport").selectOption("dctcp");
  const fork = page.getByText(/^forked at/);
  await expect(fork).toHaveText(`forked at ${(at / 1000).toFixed(2)} ms`);
  await expect(page.locator(".recorded li")).toHaveCount(1);
  await button(page, "Play").click();
  await ended(page);
  await expect(fork).toBeVisible();
  await page.locator(".fork").getByRole("button", { name: "Undo" }).click();
  await expect(fork).toHaveCount(0);
  await expect(page.locator(".recorded li")).toHaveCount(0);
  expect(errors).toEqual([]);
});

test("a step may be one event: the bar says what happened and where, there and back", async ({ page }) => {
  const errors = faultsOf(page);
  await openThreeWriters(page);
  await passed(page, 500);
  await button(page, "Pause").click();
  await page.getByLabel("Length of a step").selectOption("event");
  await page.keyboard.press("Escape");
  const bar = page.locator(".clock");
  const steps: (readonly [us: number, text: string])[] = [];
  for (let step = 0; step < 4; step++) {
    const before = await timeUs(page);
    await button(page, "Step by 1 event").click();
    await expect.poll(() => timeUs(page)).toBeGreaterThan(before);
    await expect(bar).toContainText(/(packets?|timers?) (at|of) [a-z][\d.]+|classes renewed/);
    steps.push([await timeUs(page), (await bar.textContent()) ?? ""]);
  }
  for (const [us, text] of steps.slice(0, -1).reverse()) {
    await button(page, "Step back by 1 event").click();
    await expect.poll(() => timeUs(page)).toBeCloseTo(us, 5);
    await expect(bar).toHaveText(text);
  }
  await page.getByLabel("Length of a step").selectOption("1ms");
  await page.keyboard.press("Escape");
  await button(page, "Step by 1 ms").click();
  await expect(bar).toContainText("RTT");
  expect(errors).toEqual([]);
});
