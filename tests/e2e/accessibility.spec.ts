import { expect, test } from "@playwright/test";
import { violations } from "./accessible";
import { digest, openThreeWriters } from "./explorer";

for (const theme of ["light", "dark"]) {
  for (const [frame, width, height] of [
    ["desk", 1440, 900],
    ["tablet", 1024, 768],
    ["phone", 390, 844],
  ] as const) {
    test(`WCAG 2.2 AA: ${frame}, ${theme}`, async ({ browser }) => {
      const context = await browser.newContext({
        viewport: { width, height },
        reducedMotion: "reduce",
      });
      const page = await context.newPage();
      await page.goto(`./?theme=${theme}`);
      await digest(page);
      expect(await violations(page)).toEqual([]);
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect(overflow).toBeLessThanOrEqual(0);
    });
  }
}

test("WCAG 2.2 AA: parameters of RDMA, pause frames, deadlines, and the menus", async ({ browser }) => {
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    reducedMotion: "reduce",
  });
  const page = await context.newPage();
  await openThreeWriters(page);
  await digest(page);
  await page.getByRole("button", { name: "High", exact: true }).click();
  await page.getByLabel("High, transport").selectOption("dcqcn");
  await page.getByText("DCQCN parameters").first().click();
  await page.getByLabel("Buffering").selectOption("pfc");
  await page.getByText("Thresholds, headroom, marking point").click();
  await page.getByLabel("Latency target").fill("2 ms");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("region", { name: /^Deadlines missed/ })).toBeVisible();
  await page.getByRole("button", { name: "Pause", exact: true }).click();
  expect(await violations(page)).toEqual([]);

  await page.getByRole("button", { name: "Quality factor, choose what the chart shows" }).click();
  expect(await violations(page)).toEqual([]);
  await page.keyboard.press("Escape");
  await page.locator("h1").click();
  await page.keyboard.press("/");
  await expect(page.getByLabel("Find a scenario")).toBeFocused();
  expect(await violations(page)).toEqual([]);
});
