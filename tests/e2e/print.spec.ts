import { expect, test } from "@playwright/test";
import { digest, FIRST_TITLE, faultsOf } from "./explorer";

for (const [frame, width, height] of [
  ["desk", 1440, 900],
  ["phone", 390, 844],
] as const) {
  test(`Explore prints as a report on one light sheet: ${frame}`, async ({ browser }) => {
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

    const pdf = (await page.pdf({ preferCSSPageSize: true })).toString("latin1");
    expect(pdf.match(/\/Type \/Page\b/g)).toHaveLength(1);
    await page.emulateMedia({ media: null });
    await expect(theme).toHaveAttribute("data-theme", "dark");
    await expect(page.locator(".print-head, .chart-print")).toHaveCount(0);
    expect(faults).toEqual([]);
    await context.close();
  });
}
