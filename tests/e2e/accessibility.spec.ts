import { expect, test } from "@playwright/test";
import { expectAccessible, violations, WINDOWS } from "./accessible";
import { digest, openThreeWriters } from "./explorer";

for (const [frame, width, height] of WINDOWS) {
  // Between the other two.
  const tag = frame === "tablet" ? "@full" : [];
  test(`WCAG 2.2 AA: ${frame}`, { tag }, async ({ browser }) => {
    const context = await browser.newContext({
      viewport: { width, height },
      reducedMotion: "reduce",
    });
    const page = await context.newPage();
    await page.goto("./");
    await digest(page);
    await expectAccessible(page);
  });
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
