import { readFileSync } from "node:fs";
import { expect, type Page, test } from "@playwright/test";
import type { Lesson } from "../../web/src/workbench/lesson/lesson.ts";
import { expectAccessible, violations, WINDOWS } from "./accessible";
import { dropFile, faultsOf } from "./explorer";

/** A lesson with a step of each kind, short enough to be taken in seconds. */
const SMALL = readFileSync("tests/e2e/lessons/small.json", "utf8");

const lesson = (name: string) => JSON.parse(readFileSync(`scenarios/lessons/${name}.json`, "utf8")) as Lesson;

const step = (page: Page) => page.locator(".learn");
const heading = (page: Page) => page.locator("#step-title");
const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name, exact: true });

/** Opens the small lesson from a file that is dropped on the page. */
async function openSmall(page: Page): Promise<void> {
  await page.goto("./");
  await expect(page.locator("html")).toHaveAttribute("data-run-state", /running|paused|ended/);
  await dropFile(page, "small.json", SMALL);
  await expect(heading(page)).toHaveText("A queue, and who fills it");
}

/** Has the run of a step come to its end, and its outcome told. */
async function runToEnd(page: Page): Promise<void> {
  await button(page, "To its end").click();
  await expect(page.locator(".learn-bar")).toHaveAttribute("data-run-state", "ended");
  await expect(page.locator(".learn-outcome")).not.toHaveAttribute("data-later");
}

const next = (page: Page) => button(page, /^(Next: |Finish)/).click();

test("a student takes lesson 2 to its end, with a wrong prediction and a solved challenge", async ({
  page,
}) => {
  test.slow();
  const faults = faultsOf(page);
  const { steps, title } = lesson("marks-and-windows");
  await page.goto("./#learn");
  await page.getByRole("button", { name: title }).click();
  await expect(page).toHaveURL(/#learn=2\.1$/);
  for (const [at, item] of steps.entries()) {
    await expect(page.locator(".learn-head")).toContainText(`step ${at + 1} of ${steps.length}`);
    await expect(step(page)).toHaveAttribute("data-kind", item.kind);
    if (item.kind === "predict") {
      await expect(button(page, "Run")).toHaveCount(0);
      await expect(page.locator(".learn-bar")).toContainText("waits for your prediction");
      if (item.question.kind === "choice") {
        // The first option that is not right: a plausible mistake.
        await page
          .getByRole("radio")
          .nth(item.question.options.findIndex(({ right }) => !right))
          .check();
        await button(page, "Lock in").click();
      } else await button(page, "I don’t know").click();
      await runToEnd(page);
      if (item.question.kind === "choice") {
        await expect(page.getByText("Not as you predicted.")).toBeVisible();
        await expect(page.getByText("what happened")).toBeVisible();
      }
      await expect(page.locator(".learn-text")).not.toContainText("…");
    }
    if (item.kind === "challenge") {
      const [[path, value] = ["", 0]] = Object.entries(item.solution);
      const field = page.locator(`.row[data-path="${path}"] input[inputmode=decimal]`);
      await field.fill(String(value));
      await field.press("Enter");
      await button(page, "To its end").click();
      await expect(page.getByText("All goals are met.")).toBeVisible({ timeout: 60_000 });
    }
    await next(page);
  }
  const predictions = steps.filter(({ kind }) => kind === "predict").length;
  await expect(heading(page)).toHaveText(`1 of ${predictions + 1}`);
  await button(page, "All lessons").click();
  await expect(page.locator(".lesson-card").filter({ hasText: title })).toContainText("done");
  expect(faults).toEqual([]);
});

test("a lesson from a file is taken by keys alone, and its answers are there after a reload", async ({
  page,
}) => {
  await openSmall(page);
  await expect(page).toHaveURL(/#3\./);
  const first = page.url();
  await page.keyboard.press("Space");
  await button(page, /^Next: /).focus();
  await page.keyboard.press("Enter");
  await expect(heading(page)).toBeFocused();
  await expect(heading(page)).toHaveText("How much does it carry?");
  await expect(page.getByRole("radio").first()).toBeVisible();
  // Before the question is answered no key lets it run.
  await page.keyboard.press("Space");
  await expect(page.locator(".learn-bar")).toContainText("waits for your prediction");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Space");
  await expect(page.getByRole("radio").first()).toBeChecked();
  await page.keyboard.press("ArrowDown");
  await expect(page.getByRole("radio").nth(1)).toBeChecked();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await expect(button(page, "Run")).toBeFocused();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await expect(page.getByText("As you predicted.")).toBeVisible();
  // The address is written a moment after the step.
  await expect(page).not.toHaveURL(first);
  await page.reload();
  await expect(heading(page)).toHaveText("How much does it carry?");
  await expect(page.getByText("As you predicted.")).toBeVisible();
  await expect(page.getByRole("radio").nth(1)).toBeDisabled();
});

test("a number and a curve that were predicted stand beside what was measured", async ({ page }) => {
  await openSmall(page);
  await page.locator(".lesson-steps button").nth(2).click();
  await expect(heading(page)).toHaveText("How long is the queue?");
  const field = page.getByRole("textbox", { name: "Your prediction" });
  await field.fill("60");
  await field.press("Enter");
  await button(page, "Lock in").click();
  await runToEnd(page);
  await expect(page.locator(".on-scale")).toContainText(
    /your prediction\s*60\s*packets\s*measured\s*\d+\s*packets/,
  );
  await next(page);
  const chart = page.getByRole("group", { name: /^Your curve/ });
  const box = await chart.boundingBox();
  if (!box) throw new Error("no chart to draw in");
  await page.mouse.move(box.x + 60, box.y + 150);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width / 2, box.y + 100, { steps: 4 });
  await page.mouse.move(box.x + box.width - 20, box.y + 40, { steps: 4 });
  await page.mouse.up();
  await expect(page.locator(".curve-point[data-empty]")).toHaveCount(0);
  await button(page, "Lock in").click();
  await runToEnd(page);
  await expect(page.getByRole("row", { name: /measured/ }).getByRole("cell")).toHaveCount(3);
  await expect(page.locator(".curve-happened")).toBeVisible();
});

test("Back goes to the step before, and a step is opened in Explore without losing what is there", async ({
  page,
}) => {
  await page.goto("./#learn=2.1");
  await expect(heading(page)).toBeVisible();
  await next(page);
  await expect(page).toHaveURL(/#learn=2\.2$/);
  await page.goBack();
  await expect(page).toHaveURL(/#learn=2\.1$/);
  await expect(page.locator(".learn-head")).toContainText("step 1 of");
  await button(page, "Open in Explore").click();
  await expect(page.locator(".scenario-title")).toContainText("Four writers");
  await page.keyboard.press("Control+z");
  await expect(page.locator(".scenario-title")).toContainText(/Readers and writers/);
});

test("a comparison waits to be played, and explains itself after that", async ({ page }) => {
  const faults = faultsOf(page);
  await openSmall(page);
  await page.locator(".lesson-steps button").nth(4).click();
  await expect(heading(page)).toHaveText("Two thresholds");
  await expect(page.locator(".live-compared")).toHaveCount(2);
  await expect(page.locator(".learn-bar")).toHaveAttribute("data-run-state", "paused");
  await expect(page.getByText("The queue stays near its threshold")).toHaveCount(0);
  await button(page, "Play both").click();
  await expect(page.locator(".learn-bar")).toHaveAttribute("data-run-state", "ended");
  await expect(page.getByText("The queue stays near its threshold")).toBeVisible();
  expect(faults).toEqual([]);
});

test("goals have no verdict during the warm-up, and the text of the task keeps the initial settings", async ({
  page,
}) => {
  test.slow();
  await page.goto("./#learn=7.8");
  const goals = page.locator(".goals > li");
  await expect(goals.first()).toContainText("after 10 ms");
  await expect(goals.first()).not.toHaveAttribute("data-holds");
  const text = page.locator(".learn-prose").first();
  await expect(text).toContainText("fetches in bursts of 64");
  const burst = page.locator('.row[data-path="storage.nvme.burst"] input[inputmode=decimal]');
  await burst.fill("3");
  await burst.press("Enter");
  await button(page, "To its end").click();
  await expect(goals.first()).toHaveAttribute("data-holds", /true|false/, { timeout: 60_000 });
  await expect(text).toContainText("fetches in bursts of 64");
});

test("a challenge gives hints one by one, and its solution counts as not solved", async ({ page }) => {
  await openSmall(page);
  await page.locator(".lesson-steps button").nth(5).click();
  await expect(page.getByText("other controls are locked in this step")).toBeVisible();
  await button(page, "To its end").click();
  await expect(page.getByText(/Not yet: 1 of 1 goals missed/)).toBeVisible();
  await button(page, "Give me a hint").click();
  await expect(page.locator(".hints li")).toHaveCount(1);
  await button(page, "Show the solution").click();
  await button(page, "To its end").click();
  await expect(page.getByText("All goals are met, with the solution shown.")).toBeVisible();
  await next(page);
  await next(page);
  await expect(page.locator(".learn-summary")).toContainText("solution shown");
});

test("a damaged lesson is refused with every fault, and what is on the page stays", async ({ page }) => {
  await openSmall(page);
  const damaged = JSON.parse(SMALL) as { title?: string; steps: { kind: string; run?: string }[] };
  delete damaged.title;
  (damaged.steps[0] as { run?: string }).run = "nobody";
  await dropFile(page, "damaged.json", JSON.stringify(damaged));
  const dialog = page.getByRole("dialog", { name: /was not opened/ });
  await expect(dialog).toContainText("title");
  await expect(dialog.locator(".reasons li").first()).toBeVisible();
  await dialog.getByRole("button", { name: "Close" }).click();
  await expect(page.getByRole("heading", { name: "Learn by predicting" })).toBeVisible();
});

test("the contents and every kind of step are accessible, in light and dark, on every window", async ({
  page,
}) => {
  test.slow();
  await page.goto("./#learn");
  await expect(page.getByRole("heading", { name: "Learn by predicting" })).toBeVisible();
  await expectAccessible(page);
  await page.emulateMedia({ colorScheme: "light" });
  await openSmall(page);
  for (const at of [0, 1, 2, 3, 4, 5, 6]) {
    await page.locator(".lesson-steps button").nth(at).click();
    await expect(page.locator(".live-blocks").first()).not.toHaveAttribute("aria-busy");
    expect(await violations(page), `step ${at + 1}`).toEqual([]);
  }
  for (const [frame, width, height] of WINDOWS) {
    if (frame === "desk" || (frame === "tablet" && !process.env.FULL)) continue;
    await page.setViewportSize({ width, height });
    for (const at of [1, 3, 5]) {
      await page.locator(".lesson-steps button").nth(at).click();
      await expect(page.locator(".live-blocks").first()).not.toHaveAttribute("aria-busy");
      await page.emulateMedia({ colorScheme: "light" });
      await expectAccessible(page);
    }
  }
});

test("a step fits the window of a desk without scrolling", async ({ page }) => {
  await openSmall(page);
  for (const at of [0, 1, 4, 5]) {
    await page.locator(".lesson-steps button").nth(at).click();
    await expect(page.locator(".live-blocks").first()).not.toHaveAttribute("aria-busy");
    const over = await page.evaluate(() =>
      [".live-blocks", ".learn-live", ".learn"].map((part) => {
        const element = document.querySelector(part);
        return element ? element.scrollHeight - element.clientHeight : 0;
      }),
    );
    expect(Math.max(...over), `step ${at + 1}`).toBeLessThanOrEqual(1);
  }
});

test("on a phone the task, the run and what follows stand below each other, under fingers", async ({
  browser,
}) => {
  const context = await browser.newContext({
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
    serviceWorkers: "block",
  });
  const page = await context.newPage();
  await openSmall(page);
  await next(page);
  await page.getByRole("radio").first().check();
  await button(page, "Lock in").tap();
  await runToEnd(page);
  const tops = await Promise.all(
    [".learn-prompt", ".learn-live", ".learn-outcome"].map(
      async (part) => (await page.locator(part).first().boundingBox())?.y ?? 0,
    ),
  );
  expect(tops).toEqual([...tops].sort((a, b) => a - b));
  for (const target of [".learn-foot .button", ".choice", ".play", ".lesson-steps button"]) {
    const box = await page.locator(target).first().boundingBox();
    expect(box?.height, target).toBeGreaterThanOrEqual(44);
  }
  await context.close();
});
