import { expect, type Locator, type Page, test } from "@playwright/test";
import { openThreeWriters } from "./explorer.ts";

/** What parts of the page look like, the first three of each that are seen. */
const looks = (parts: Locator) =>
  parts.filter({ visible: true }).evaluateAll((elements) =>
    elements.slice(0, 3).map((element) => {
      const { borderTopWidth, borderTopStyle, borderTopColor, backgroundColor } = getComputedStyle(element);
      return {
        width: Number.parseFloat(borderTopWidth),
        style: borderTopStyle,
        isSeen: borderTopColor !== backgroundColor && !/^rgba.*, 0\)$/.test(borderTopColor),
      };
    }),
  );

const token = (page: Page, name: string) =>
  page.evaluate((of) => getComputedStyle(document.documentElement).getPropertyValue(of).trim(), name);

test("controls keep their edges where the system sets the colours", async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.emulateMedia({ forcedColors: "active" });
  await openThreeWriters(page);
  await expect(page.getByRole("textbox", { name: "ECN threshold" })).toHaveValue("140");
  for (const parts of [
    page.locator(".button-primary"),
    page.locator(".button-quiet"),
    page.locator(".number-field input"),
    page.locator("select"),
    page.locator(".segmented [role=radio] span"),
  ]) {
    const seen = await looks(parts);
    expect(seen.length, String(parts)).toBeGreaterThan(0);
    for (const look of seen) {
      expect(look, String(parts)).toEqual({ width: expect.any(Number), style: "solid", isSeen: true });
      expect(look.width).toBeGreaterThanOrEqual(1);
    }
  }
  const current = page.locator(".view-switch [aria-current=page]").filter({ visible: true });
  const [mark, ground] = await current.evaluate((element) => [
    getComputedStyle(element, "::after").backgroundColor,
    getComputedStyle(element).backgroundColor,
  ]);
  expect(mark).not.toBe(ground);
});

test("edges and notes are darker for who asks for more contrast", async ({ page }) => {
  await openThreeWriters(page);
  const usual = [await token(page, "--line"), await token(page, "--t3")];
  await page.emulateMedia({ contrast: "more" });
  expect([await token(page, "--line"), await token(page, "--t3")]).toEqual(["#87877f", "#4a4a45"]);
  expect(usual).toEqual(["#e3e3df", "#66665f"]);
});
