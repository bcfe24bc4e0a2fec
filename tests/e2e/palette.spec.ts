import { expect, type Page, test } from "@playwright/test";
import { violations } from "./accessible";
import { FIRST_TITLE, openThreeWriters, passed } from "./explorer";

const search = (page: Page) => page.getByRole("combobox", { name: /^Find an action/ });
const chosen = (page: Page) => page.getByRole("option", { selected: true });

test("everything is found by its words: actions, views, settings, scenarios", async ({ page }) => {
  await openThreeWriters(page);
  await passed(page, 100);
  await page.keyboard.press("Control+k");
  await expect(search(page)).toBeFocused();
  await page.keyboard.type("pause");
  await expect(chosen(page)).toContainText("Play or pause");
  await page.keyboard.press("Enter");
  await expect(page.locator("html")).toHaveAttribute("data-run-state", "paused");

  await page.getByRole("button", { name: "Find anything" }).click();
  await expect(search(page)).toBeFocused();
  await page.keyboard.type("ecn threshold setting");
  await page.keyboard.press("Enter");
  await expect(page.locator('[data-path="switch.ecnThresholdPackets"] input').first()).toBeFocused();

  await page.keyboard.press("Control+k");
  await expect(search(page)).toBeFocused();
  await page.keyboard.type("view plan");
  await page.keyboard.press("Enter");
  await expect(page.locator("main.plan")).toBeVisible();

  await page.keyboard.press("Control+k");
  await expect(search(page)).toBeFocused();
  await page.keyboard.type("nvme weighted");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("Enter");
  await expect(page).toHaveTitle(/NVMe/i);
  await page.keyboard.press("Control+k");
  await page.keyboard.press("Escape");
  await expect(search(page)).toHaveCount(0);
});

test("what cannot be done now says why, and stays", async ({ page }) => {
  await openThreeWriters(page);
  await passed(page, 100);
  await page.keyboard.press("Control+k");
  await search(page).fill("redo");
  await expect(chosen(page)).toHaveAttribute("aria-disabled", "true");
  await expect(chosen(page)).toContainText("nothing was undone");
  await page.keyboard.press("Enter");
  await expect(search(page)).toBeFocused();
  expect(await violations(page)).toEqual([]);
  await search(page).fill("as fast as");
  await page.keyboard.press("Enter");
  await expect(page.getByLabel("Speed, simulated time per second")).toHaveValue("Infinity");
});

test("a setting is found behind a fold, behind a class, with a device, and on a phone", {
  tag: "@full",
}, async ({ page }) => {
  await page.goto("./");
  await passed(page, 100);
  const goTo = async (words: string, path: string) => {
    await page.keyboard.press("Control+k");
    await search(page).fill(`setting ${words}`);
    await expect(page.getByRole("option")).toHaveCount(1);
    await page.keyboard.press("Enter");
    await expect(page.locator(`[data-path="${path}"] :focus`)).toBeInViewport();
  };
  await goTo("switch.headroomBytes", "switch.headroomBytes");
  await goTo("classes[1].baseRttUs", "classes[1].baseRttUs");
  await goTo("storage.ssd.pageBytes", "storage.ssd.pageBytes");
  await page.setViewportSize({ width: 390, height: 844 });
  await goTo("topology.linkGbps", "topology.linkGbps");
  await page.keyboard.press("Control+k");
  await expect(search(page)).toBeFocused();
  expect(await violations(page)).toEqual([]);
  await page.getByRole("dialog", { name: "Find anything" }).getByRole("button", { name: "Close" }).click();
  await expect(search(page)).toHaveCount(0);
  await expect(page).toHaveTitle(FIRST_TITLE);
});
