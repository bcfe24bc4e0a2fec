import { expect, type Page, test } from "@playwright/test";
import { encodeFragment } from "../../web/src/scenario/codec.ts";
import type { Scenario } from "../../web/src/scenario/types.ts";
import { ended, openBriefWriters, threeWriters, unfold } from "./explorer";

const VIEWS = ["Explore", "Compare", "Sweep", "Storage", "Figures", "Learn", "Plan"] as const;
/** Both sides of every edge between frames of the page, and common windows; with `FULL` the sizes in between. */
const EDGES = [360, 599, 600, 768, 899, 900, 959, 960, 1199, 1200, 1279, 1280, 1599, 1600, 1920];
const BETWEEN = [390, 430, 480, 540, 660, 700, 744, 800, 820, 834, 1000, 1024, 1100, 1180, 1366, 1440];
const WIDTHS = process.env.FULL ? [...EDGES, ...BETWEEN] : EDGES;

const showView = (page: Page, name: string) =>
  page.getByRole("navigation", { name: "Views" }).getByRole("button", { name }).click();

/** What of the frame of the page is beyond the window, or cut. */
const misfits = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const { scrollWidth } = document.documentElement;
    const found = scrollWidth > innerWidth ? [`page ${scrollWidth} wide`] : [];
    for (const item of document.querySelectorAll(".topbar, .topbar button, .view-switch button")) {
      const { left, right, width } = item.getBoundingClientRect();
      const name = item.getAttribute("aria-label") ?? item.textContent;
      if (left < 0 || right > innerWidth + 0.5 || width < 24) found.push(`${name}: ${left} to ${right}`);
    }
    const title = document.querySelector(".scenario-title > span");
    if (title && innerWidth >= 600 && title.scrollHeight > title.clientHeight + 1) found.push("title cut");
    return found;
  });

test("no_width_from_360_to_1920_cuts_the_top_bar_or_scrolls_sideways", async ({ page }) => {
  test.slow();
  await page.goto("./");
  for (const view of VIEWS) {
    await page.setViewportSize({ width: 1440, height: 900 });
    await showView(page, view);
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 });
      await expect.poll(() => misfits(page), { message: `${view} at ${width}` }).toEqual([]);
    }
  }
});

/** Numbers in fields that are wider than their fields. */
const cutNumbers = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const pen = document.createElement("canvas").getContext("2d") as CanvasRenderingContext2D;
    return [...document.querySelectorAll<HTMLInputElement>("input[inputmode]")].flatMap((field) => {
      if (!field.checkVisibility()) return [];
      const look = getComputedStyle(field);
      pen.font = look.font;
      const room =
        field.clientWidth - Number.parseFloat(look.paddingLeft) - Number.parseFloat(look.paddingRight);
      const text = field.value || field.placeholder;
      if (pen.measureText(text).width <= room + 0.5) return [];
      return [`${field.getAttribute("aria-label")}: ${text} in ${room} px`];
    });
  });

for (const [width, height] of [
  [1440, 900],
  [390, 844],
] as const) {
  test(`no_number_field_cuts_its_number at ${width} px`, async ({ page }) => {
    await openBriefWriters(page);
    await ended(page);
    await page.setViewportSize({ width, height });
    for (const view of VIEWS) {
      await showView(page, view);
      await expect(page.getByRole("status").filter({ hasText: "Opening" })).toHaveCount(0);
      await unfold(page);
      await expect.poll(() => cutNumbers(page), { message: view }).toEqual([]);
    }
  });
}

/** Fields of the table of classes that overlap the next one. */
const overlaps = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll(".class-settings tbody tr")].flatMap((row) => {
      const fields = [...row.querySelectorAll("input, select")];
      const boxes = fields.map((field) => field.getBoundingClientRect());
      return fields.flatMap((field, i) =>
        i > 0 && (boxes[i]?.left ?? 0) < (boxes[i - 1]?.right ?? 0)
          ? [field.getAttribute("aria-label") ?? ""]
          : [],
      );
    }),
  );

test("long_numbers_of_classes_are_whole_and_apart", async ({ page }) => {
  const [high, medium, low] = threeWriters.classes;
  const [first, ...others] = threeWriters.workloads;
  const traffic = { kind: "open-loop", offeredGbps: 23.168, size: { kind: "fixed", bytes: 65_536 } };
  const long = {
    ...threeWriters,
    classes: [
      { ...high, ratio: 2.375, gain: 0.0625 },
      { ...medium, ratio: 12.25 },
      { ...low, gain: 0.001234 },
    ],
    workloads: [{ ...first, traffic }, ...others],
  } as unknown as Scenario;
  await page.goto(`./${encodeFragment(long)}`);
  await unfold(page);
  await expect(page.getByLabel("High, offered, Gb/s")).toHaveValue("23.168");
  expect(await cutNumbers(page)).toEqual([]);
  expect(await overlaps(page)).toEqual([]);
});
