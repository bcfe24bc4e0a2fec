import { type Browser, expect, type Page, test } from "@playwright/test";
import { digest, faultsOf, timeUs } from "./explorer";

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
  test(`every target is as large as a finger: ${frame}`, async ({ browser }) => {
    const page = await touched(browser, width, height);
    expect(await tooSmall(page)).toEqual([]);

    await button(page, frame === "phone" ? "All settings" : "Classes").tap();
    await button(page, "High").tap();
    await page.getByLabel("High, transport").selectOption("dcqcn");
    await page.getByLabel("Buffering").selectOption("pfc");
    await page.getByRole("button", { name: /^h12 1 SSD/ }).tap();
    for (const fold of await page.locator(".drawer summary").all()) await fold.tap();
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

  const slider = page.getByRole("slider", { name: "ECN threshold" });
  await slider.focus();
  await page.keyboard.press("ArrowUp");
  await expect(slider).toHaveAttribute("aria-valuetext", "36 packets");
  await button(page, "Undo").tap();
  await expect(slider).toHaveAttribute("aria-valuetext", "35 packets");
  await button(page, "Redo").tap();
  await expect(slider).toHaveAttribute("aria-valuetext", "36 packets");

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
  await expect(page.getByRole("region", { name: "Classes now" })).toContainText(/High.*[\d.]+ Gb\/s.*Q/);
});
