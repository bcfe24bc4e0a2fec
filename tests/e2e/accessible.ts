import AxeBuilder from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";

const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];

/** Windows that the page is laid out for. */
export const WINDOWS = [
  ["desk", 1440, 900],
  ["tablet", 1024, 768],
  ["phone", 390, 844],
] as const;

/** What breaks which rule where. The guards beside a popup pass the focus on and never keep it, which Axe cannot see. */
export const violations = (page: Page): Promise<string[]> => broken(new AxeBuilder({ page }).withTags(RULES));

/**
 * The page breaks no rule in light, no rule of colours in dark, where all else is the same, and is no wider than its window.
 * `within`: selector of the only part that is examined. Examining the page takes seconds, the page behind a dialog is inert.
 */
export async function expectAccessible(page: Page, within?: string): Promise<void> {
  const html = page.locator("html");
  await expect(html).toHaveAttribute("data-theme", "light");
  const axe = () => (within ? new AxeBuilder({ page }).include(within) : new AxeBuilder({ page }));
  expect(await broken(axe().withTags(RULES))).toEqual([]);
  await page.emulateMedia({ colorScheme: "dark" });
  await expect(html).toHaveAttribute("data-theme", "dark");
  expect(await broken(axe().withRules(["color-contrast"]))).toEqual([]);
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  expect(overflow).toBeLessThanOrEqual(0);
}

async function broken(axe: AxeBuilder): Promise<string[]> {
  const found = await axe.exclude("[data-base-ui-focus-guard]").analyze();
  return found.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target).join(", ")}`);
}
