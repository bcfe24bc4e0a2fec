import { inflateSync } from "node:zlib";
import { expect, test } from "@playwright/test";
import { digest, FIRST_TITLE, faultsOf } from "./explorer";

/** Filled rectangles of a colour, as PDF writes it, in all streams that are packed. */
function rectangles(pdf: Buffer, colour: string): number {
  const text = pdf.toString("latin1");
  const streams = [...text.matchAll(/stream\r?\n/g)].map(({ index, 0: head }) => {
    const from = index + head.length;
    try {
      return inflateSync(pdf.subarray(from, text.indexOf("endstream", from))).toString("latin1");
    } catch {
      return ""; // A font, or the tail of a stream's name.
    }
  });
  const filled = new RegExp(`${colour.replaceAll(".", "\\.")} rg\\n(?:[^\\n]*\\n){0,4}?[^\\n]* re\\nf`, "g");
  return streams.reduce((sum, stream) => sum + (stream.match(filled)?.length ?? 0), 0);
}

for (const [frame, width, height] of [
  ["desk", 1440, 900],
  ["phone", 390, 844],
] as const) {
  const tag = frame === "phone" ? "@full" : [];
  test(`Explore prints as a report on one light sheet: ${frame}`, { tag }, async ({ browser }) => {
    const context = await browser.newContext({
      viewport: { width, height },
      reducedMotion: "reduce",
      colorScheme: "dark",
    });
    const page = await context.newPage();
    const faults = faultsOf(page);
    const theme = page.locator("html");
    await page.goto("./");
    const result = await digest(page);
    await expect(page.getByRole("table", { name: /stage and class/ })).toBeVisible();
    // What is not on the page yet is not printed.
    await expect(page.locator("[data-chart]").filter({ visible: true })).toHaveCount(5);
    // The report is made by a script that comes when the page is idle.
    const head = page.locator(".print-head");
    await expect(async () => {
      await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
      await expect(head).toHaveCount(1, { timeout: 100 });
    }).toPass();
    await page.emulateMedia({ media: "print" });
    await expect(theme).toHaveAttribute("data-theme", "light");
    await expect(head.getByRole("heading")).toHaveText(FIRST_TITLE);
    await expect(head).toContainText(/scenario hash [0-9a-f]{16}; seed 10; QoScope engine/);
    await expect(head).toContainText(`digest ${result}`);
    await expect(page.locator(".chart-print").filter({ visible: true })).toHaveCount(5);
    await expect(page.getByRole("table").filter({ visible: true })).toHaveCount(2);
    const controls = page.locator(".icon-button, .segmented, .play, .chart-menu-button, input, select");
    await expect(controls.filter({ visible: true })).toHaveCount(0);
    await expect(page.locator("canvas").filter({ visible: true })).toHaveCount(0);

    const settings = page.locator(".print-settings");
    await expect(settings).toContainText("Class High: Ratio 3Transport QTCP");
    await expect(settings).toContainText("ECN threshold 35 packets");
    await expect(settings).toContainText("Storage: Servers: Host h12");

    // A browser prints no backgrounds unless it is asked to, and bars are backgrounds: one for each stage of a class.
    const pdf = await page.pdf({ preferCSSPageSize: true, printBackground: false });
    for (const mark of ["0 .4471 .698", "0 .6196 .451"])
      expect(rectangles(pdf, mark)).toBeGreaterThanOrEqual(8);
    expect(pdf.toString("latin1").match(/\/Type \/Page\b/g)).toHaveLength(1);
    // Where two charts clip by one name, the second is cut as the first.
    const clips = await page.locator("clipPath").evaluateAll((all) => all.map(({ id }) => id));
    expect(new Set(clips).size).toBe(clips.length);
    await page.emulateMedia({ media: null });
    await expect(theme).toHaveAttribute("data-theme", "dark");
    await expect(page.locator(".print-head, .chart-print, .print-settings")).toHaveCount(0);
    expect(faults).toEqual([]);
    await context.close();
  });
}
