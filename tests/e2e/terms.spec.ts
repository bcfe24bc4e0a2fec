import { expect, test } from "@playwright/test";
import { digest, faultsOf, unfold } from "./explorer";

test("every term that is not a setting explains itself with the focus and under the pointer", async ({
  browser,
}) => {
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    reducedMotion: "reduce",
  });
  const page = await context.newPage();
  const errors = faultsOf(page);
  await page.goto("./");
  await digest(page);
  // What stands in a closed fold takes no focus.
  await unfold(page);
  await page.keyboard.press("Tab");
  const open = page.locator(".explanation, .hint");
  // The panels on the right fill last; a term that comes later would shift the others.
  await expect(page.getByRole("table", { name: /stage and class/ })).toBeVisible();
  for (const name of ["p99", "digest"]) {
    await expect(page.locator(".explained:visible").filter({ hasText: name }).first()).toBeVisible();
  }
  const terms = await page.locator(".explained:visible").all();
  const names = await Promise.all(terms.map((term) => term.textContent()));
  for (const name of ["Target", "p99", "RTT", "digest", "Ratio", "Transport"]) expect(names).toContain(name);
  for (const term of terms) {
    await term.focus();
    await expect(open).toHaveCount(1);
    await expect(open).toContainText(/\w{3,}.*\./);
    await page.keyboard.press("Escape");
    await expect(open).toHaveCount(0);
  }
  await page.getByRole("region", { name: /^Now/ }).getByRole("button", { name: "Target" }).hover();
  await expect(open).toContainText("What a class should get of the payload");
  expect(errors).toEqual([]);
});

test("every setting explains itself: ? in its control, and a finger on its name", { tag: "@full" }, async ({
  browser,
}) => {
  const context = await browser.newContext({
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
    reducedMotion: "reduce",
  });
  const page = await context.newPage();
  const errors = faultsOf(page);
  await page.goto("./");
  await digest(page);
  await page.getByRole("button", { name: "All settings" }).tap();
  await page.getByLabel("Buffering").selectOption("pfc");
  await unfold(page);
  const hint = page.locator(".hint");
  // Gone once the page knows that the hint was closed.
  const text = page.locator(".hint > p");
  const rows = await page.locator(".drawer .row[data-path]").all();
  expect(rows.length).toBeGreaterThan(20);
  for (const row of rows) {
    // A label of a control without effect counts as not enabled.
    await row.locator(".row-label").tap({ force: true });
    await expect(hint).toContainText(/\w{3,}.*\./);
    await page.keyboard.press("Escape");
    await expect(text).toHaveCount(0);
    await row.locator("input:not([type=range], [aria-hidden]), select, [role=switch]").first().press("?");
    await expect(hint).toHaveCount(1);
    await page.keyboard.press("Escape");
    await expect(text).toHaveCount(0);
  }
  await expect(page.getByRole("dialog", { name: "Shortcuts and help" })).toHaveCount(0);
  expect(errors).toEqual([]);
});
