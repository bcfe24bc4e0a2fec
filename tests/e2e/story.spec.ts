import { expect, test } from "@playwright/test";
import { violations } from "./accessible";
import { asFastAsPossible, ended, openThreeWriters, passed } from "./explorer";

test("a visitor is shown around in four steps, leaves when she likes, and is not asked again", async ({
  page,
}) => {
  await page.goto("./");
  await passed(page, 100);
  await page.getByRole("button", { name: "Show me around" }).click();
  const card = page.getByRole("dialog");
  await expect(card).toContainText("1 of 4");
  await card.getByRole("button", { name: "Next" }).click();
  await expect(card).toContainText("2 of 4");
  // The page goes on below, and answers.
  await page.getByRole("button", { name: "Agnostic storage" }).click();
  await expect(page.locator(".recorded li")).toHaveCount(1);
  expect(await violations(page)).toEqual([]);
  await card.getByRole("button", { name: "Next" }).click();
  await card.focus();
  await page.keyboard.press("Escape");
  await expect(card).toHaveCount(0);
  await page.reload();
  await passed(page, 100);
  await expect(page.getByRole("button", { name: "Show me around" })).toHaveCount(0);
  await page.keyboard.press("Shift+H");
  await expect(card).toContainText("1 of 4");
});

test("what a scenario claims lights up when it comes true", async ({ page }) => {
  await openThreeWriters(page);
  const claims = page.getByRole("list", { name: "What holds now" });
  await asFastAsPossible(page);
  await ended(page);
  await expect(claims).toContainText("Holds: Distance of Q from 1 at most 0.05 (now 0.0");
  await expect(claims).toContainText("Holds: High: throughput share at least 47 % (now 4");
  await page.goto("./");
  await passed(page, 3000);
  await expect(claims).toContainText("Holds: Commands waiting for devices at least 50");
});
