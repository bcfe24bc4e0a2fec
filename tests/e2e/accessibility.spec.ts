import AxeBuilder from "@axe-core/playwright";
import { expect, test } from "@playwright/test";
import { digest } from "./explorer";

const rules = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];

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
      const { violations } = await new AxeBuilder({ page }).withTags(rules).analyze();
      const found = violations.map(
        ({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target).join(", ")}`,
      );
      expect(found).toEqual([]);
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect(overflow).toBeLessThanOrEqual(0);
    });
  }
}
