import { type Browser, expect, type Locator, type Page, test } from "@playwright/test";
import { digest, faultsOf, timeUs, unfold } from "./explorer";

/** Side of the smallest target for a finger (WCAG 2.5.5), in CSS pixels. */
const TARGET = 44;

/** A page under a finger; with reduced motion the first run is shown at its end. */
async function touched(browser: Browser, width: number, height: number): Promise<Page> {
  const context = await browser.newContext({
    viewport: { width, height },
    hasTouch: true,
    isMobile: width < 600,
    reducedMotion: "reduce",
  });
  const page = await context.newPage();
  await page.goto("./");
  await digest(page);
  return page;
}

/**
 * Everything that a finger may hit and that answers it over too small an area, wherever its edges are drawn: what lies
 * under the finger is asked of the page, step by step from the middle of the target.
 */
const tooSmall = (page: Page): Promise<string[]> =>
  page.evaluate((min) => {
    const targets = document.querySelectorAll<HTMLElement>(
      "button, input:not([aria-hidden]), select, a[href], summary, label.row-label, [role=slider], [role^=menuitem]",
    );
    const layers = document.querySelectorAll(".drawer, .popover, .menu, .dialog");
    const layer = [...layers].findLast((item) => item.checkVisibility({ visibilityProperty: true }));
    const reaches = (below: Element, above: Element) => {
      const [a, b] = [above.getBoundingClientRect(), below.getBoundingClientRect()];
      const beside = a.left > b.right + min || b.left > a.right + min;
      return !beside && a.top <= b.bottom + min && b.top <= a.bottom + min;
    };
    return [...targets].flatMap((element) => {
      // The thumb of a slider is hit by all of the slider.
      const target = element.closest<HTMLElement>(".slider-control") ?? element;
      if (!target.checkVisibility({ visibilityProperty: true })) return [];
      target.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
      const box = target.getBoundingClientRect();
      const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
      const under = (dx: number, dy: number) => document.elementFromPoint(x + dx, y + dy);
      // What lies below an open layer cannot be hit before that is closed.
      if (layer && !layer.contains(target) && (layer.matches(".dialog") || reaches(target, layer))) return [];
      const cover = under(0, 0)?.closest(".drawer, .popover, .menu, .dialog");
      if (cover && !cover.contains(target)) return [];
      const hits = (dx: number, dy: number) => {
        const hit = under(dx, dy);
        return hit !== null && (target.contains(hit) || hit.closest("label")?.control === element);
      };
      const reach = (dx: number, dy: number) => {
        let steps = 0;
        while (steps < min && hits(dx * (steps + 1), dy * (steps + 1))) steps += 1;
        return steps;
      };
      const width = hits(0, 0) ? reach(-1, 0) + 1 + reach(1, 0) : 0;
      const height = hits(0, 0) ? reach(0, -1) + 1 + reach(0, 1) : 0;
      if (width >= min && height >= min) return [];
      const name = element.getAttribute("aria-label") ?? element.textContent;
      return [`${element.tagName} ${name}: ${width} x ${height}`];
    });
  }, TARGET);

const inPhone = async (browser: Browser) => touched(browser, 390, 844);
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const item = (page: Page, name: string) => page.getByRole("menuitem", { name, exact: true });

for (const [frame, width, height] of [
  ["phone", 390, 844],
  ["column", 768, 1024],
  ["tablet", 1024, 768],
] as const) {
  // All that a larger screen shows at once is there on a phone, in drawers.
  const tag = frame === "phone" ? [] : "@full";
  test(`every target is as large as a finger: ${frame}`, { tag }, async ({ browser }) => {
    const page = await touched(browser, width, height);
    expect(await tooSmall(page)).toEqual([]);

    await button(page, frame === "phone" ? "All settings" : "Classes").tap();
    await button(page, "High").tap();
    await page.getByLabel("High, transport").selectOption("dcqcn");
    await page.getByLabel("Buffering").selectOption("pfc");
    await page.getByRole("button", { name: /^h12 1 SSD/ }).tap();
    await page.locator(".drawer summary").first().tap();
    await unfold(page);
    expect(await tooSmall(page)).toEqual([]);
    await button(page, "Close settings").tap();

    await button(page, "Share").tap();
    await expect(page.getByRole("dialog", { name: "Share this run" })).toBeVisible();
    expect(await tooSmall(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await page.locator(".scenario-title").tap();
    await expect(page.locator(".preset").first()).toBeVisible();
    expect(await tooSmall(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Throughput share, choose what the chart shows" }).tap();
    await expect(page.getByRole("menu")).toBeVisible();
    expect(await tooSmall(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await button(page, "Throughput share: table and export").tap();
    await expect(page.getByRole("menu", { name: "Throughput share: table and export" })).toBeVisible();
    expect(await tooSmall(page)).toEqual([]);
  });
}

test("a phone has restart, step, undo, redo, theme and help within reach", async ({ browser }) => {
  const page = await inPhone(browser);
  const errors = faultsOf(page);
  await button(page, "Rerun from the start").tap();
  await expect(button(page, "Pause")).toBeVisible();
  await button(page, "Pause").tap();
  await expect(button(page, "Play")).toBeVisible();
  const paused = await timeUs(page);
  await button(page, "Step by 1 RTT").tap();
  await expect.poll(() => timeUs(page)).toBeGreaterThan(paused);

  // The SSD is the bottleneck here: what is within reach acts at the SSD.
  const slider = page.getByRole("slider", { name: "High weight" });
  const value = page.getByRole("region", { name: "Quick control" }).locator("b");
  await expect(value).toHaveText("3");
  await slider.focus();
  await page.keyboard.press("ArrowUp");
  await expect(value).toHaveText("4");
  await button(page, "Undo").tap();
  await expect(value).toHaveText("3");
  await button(page, "Redo").tap();
  await expect(value).toHaveText("4");

  const theme = await page.locator("html").getAttribute("data-theme");
  await button(page, "More").tap();
  await item(page, theme === "dark" ? "Light theme" : "Dark theme").tap();
  await expect(page.locator("html")).not.toHaveAttribute("data-theme", theme ?? "");
  await item(page, "Shortcuts and help").tap();
  await expect(page.getByRole("dialog", { name: "Shortcuts and help" })).toBeVisible();
  expect(await tooSmall(page)).toEqual([]);
  expect(errors).toEqual([]);
});

test("the strip of a phone says the unit of its numbers", async ({ browser }) => {
  const page = await inPhone(browser);
  await expect(page.getByRole("region", { name: "Classes now" })).toContainText(
    /High.*[\d.]+ Gb\/s.*\d+\s% of 50\s%/,
  );
});

type Point = readonly [x: number, y: number];

/** Fingers that go down on a page, move in steps, and come up again: real ones, for the browser to scroll and zoom by. */
async function drag(page: Page, from: readonly Point[], to: readonly Point[]): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const send = (type: "touchStart" | "touchMove" | "touchEnd", points: readonly Point[]) =>
    session.send("Input.dispatchTouchEvent", {
      type,
      touchPoints: points.map(([x, y], id) => ({ x, y, id })),
    });
  for (const [count] of from.entries()) await send("touchStart", from.slice(0, count + 1));
  for (let step = 1; step <= 10; step++) {
    const between = (a = 0, b = 0) => a + ((b - a) * step) / 10;
    await send(
      "touchMove",
      from.map(([x, y], i) => [between(x, to[i]?.[0]), between(y, to[i]?.[1])] as const),
    );
  }
  await send("touchEnd", []);
  await session.detach();
  // What they did is drawn.
  await page.evaluate(
    () => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))),
  );
}

/** Waits until an element has stood still for some frames: a page that was let go scrolls on. */
const atRest = (element: Locator) =>
  element.evaluate(
    (element) =>
      new Promise<void>((resolve) => {
        let last = Number.NaN;
        let frames = 0;
        const look = () => {
          const { top } = element.getBoundingClientRect();
          frames = top === last ? frames + 1 : 0;
          last = top;
          if (frames < 10) requestAnimationFrame(look);
          else resolve();
        };
        look();
      }),
  );

/** A point of an element, by shares of its size. */
async function pointOf(element: Locator): Promise<(across: number, down: number) => Point> {
  const box = await element.boundingBox();
  if (!box) throw new Error("out of sight");
  return (across, down) => [box.x + across * box.width, box.y + down * box.height];
}

/** The stretch of time that the charts show, by the band on the scrubber in shares of the run; null for all of it. */
async function shownTime(page: Page): Promise<{ left: number; width: number } | null> {
  const band = page.locator(".scrubber-shown");
  if ((await band.count()) === 0) return null;
  return band.evaluate(({ style }) => ({
    left: Number.parseFloat(style.left) / 100,
    width: Number.parseFloat(style.width) / 100,
  }));
}
const shownWidth = async (page: Page) => (await shownTime(page))?.width ?? 1;
const shownLeft = async (page: Page) => (await shownTime(page))?.left ?? 0;

test("two fingers zoom the time of the charts, one moves it, and the page still scrolls", async ({
  browser,
}) => {
  const page = await inPhone(browser);
  const errors = faultsOf(page);
  const chart = page.locator(".chart-picture").first();
  await chart.scrollIntoViewIfNeeded();
  await atRest(chart);
  const at = await pointOf(chart);
  await drag(page, [at(0.3, 0.5), at(0.5, 0.5)], [at(0.2, 0.4), at(0.6, 0.6)]);
  await expect.poll(() => shownWidth(page)).toBeLessThan(0.6);
  const { left, width } = (await shownTime(page)) ?? { left: 0, width: 1 };
  expect(width).toBeGreaterThan(0.4);
  expect(left).toBeGreaterThan(0.05);

  await drag(page, [at(0.5, 0.5)], [at(0.35, 0.5)]);
  await expect.poll(() => shownLeft(page)).toBeGreaterThan(left + 0.05);
  expect(await shownWidth(page)).toBeCloseTo(width, 2);

  const top = () => chart.evaluate((element) => element.getBoundingClientRect().top);
  const before = await top();
  const there = await shownLeft(page);
  await drag(page, [at(0.5, 0.8)], [at(0.5, -0.4)]);
  await expect.poll(top).toBeLessThan(before - 30);
  await atRest(chart);
  expect(await shownLeft(page)).toBe(there);

  // Fingers that come down while the page still scrolls belong to that.
  await expect(async () => {
    await chart.scrollIntoViewIfNeeded();
    const now = await pointOf(chart);
    await drag(page, [now(0.2, 0.5), now(0.7, 0.5)], [now(0.44, 0.5), now(0.46, 0.5)]);
    await expect.poll(() => shownTime(page), { timeout: 2000 }).toBeNull();
  }).toPass();
  expect(errors).toEqual([]);
});

test("two fingers zoom into the fabric, one moves it then, and a button shows all of it again", async ({
  browser,
}) => {
  const page = await touched(browser, 1024, 768);
  const errors = faultsOf(page);
  const fabric = page.locator("[data-chart=fabric]");
  const name = fabric.locator("text", { hasText: "pod 1" }).filter({ visible: true });
  const across = async () => (await pointOf(name))(0.5, 0.5)[0];
  const at = await pointOf(fabric);
  const [x] = at(0.3, 0);
  const before = (await across()) - x;
  await drag(page, [at(0.25, 0.8), at(0.35, 0.8)], [at(0.2, 0.8), at(0.4, 0.8)]);
  await expect(button(page, "Whole fabric")).toBeVisible();
  await expect.poll(async () => ((await across()) - x) / before).toBeGreaterThan(1.7);
  const magnified = await across();
  await drag(page, [at(0.6, 0.5)], [at(0.4, 0.5)]);
  await expect.poll(across).toBeLessThan(magnified - 50);
  // A tap that comes with the end of a movement may still belong to it.
  await expect(async () => {
    await button(page, "Whole fabric").tap();
    await expect(button(page, "Whole fabric")).toHaveCount(0, { timeout: 2000 });
  }).toPass();
  await expect.poll(across).toBeCloseTo(before + x, 0);
  expect(errors).toEqual([]);
});

test("two fingers zoom a network that is edited, also on a node, which stays where it stands", async ({
  browser,
}) => {
  const page = await touched(browser, 1024, 768);
  const errors = faultsOf(page);
  await page.getByText("Edit", { exact: true }).tap();
  const node = page.locator("[data-node=h0]");
  const other = page.locator("[data-node='a0.1']");
  await expect(node).toBeVisible();
  const apart = async () => (await pointOf(other))(0.5, 0.5)[0] - (await pointOf(node))(0.5, 0.5)[0];
  const nodes = await page.locator("[data-node]").count();
  const before = await apart();
  const [x, y] = (await pointOf(node))(0.5, 0.3);
  await drag(
    page,
    [
      [x, y],
      [x + 80, y - 80],
    ],
    [
      [x, y],
      [x + 160, y - 160],
    ],
  );
  await expect.poll(async () => (await apart()) / before).toBeGreaterThan(1.9);
  expect((await apart()) / before).toBeLessThan(2.3);
  expect(await page.locator("[data-node]").count()).toBe(nodes);
  await expect(button(page, "Undo")).toBeDisabled();
  expect(errors).toEqual([]);
});
