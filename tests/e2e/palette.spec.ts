import { expect, test } from "@playwright/test";
import { violations } from "./accessible";
import { openThreeWriters, passed } from "./explorer";

test("everything is found by its words: actions, views, settings, scenarios", async ({ page }) => {
  await openThreeWriters(page);
  await passed(page, 100);
  const search = page.getByRole("combobox", { name: /^Find an action/ });
  const chosen = page.getByRole("option", { selected: true });
  await page.keyboard.press("Control+k");
  await expect(search).toBeFocused();
  await page.keyboard.type("pause");
  await expect(chosen).toContainText("Play or pause");
  expect(await violations(page)).toEqual([]);
  await page.keyboard.press("Enter");
  await expect(page.locator("html")).toHaveAttribute("data-run-state", "paused");

  await page.getByRole("button", { name: "Find anything" }).click();
  await page.keyboard.type("ecn threshold setting");
  await page.keyboard.press("Enter");
  await expect(page.locator('[data-path="switch.ecnThresholdPackets"] input').first()).toBeFocused();

  await page.keyboard.press("Control+k");
  await page.keyboard.type("view plan");
  await page.keyboard.press("Enter");
  await expect(page.locator("main.plan")).toBeVisible();

  await page.keyboard.press("Control+k");
  await page.keyboard.type("nvme weighted");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("Enter");
  await expect(page).toHaveTitle(/NVMe/i);
  await page.keyboard.press("Control+k");
  await page.keyboard.press("Escape");
  await expect(search).toHaveCount(0);
});
