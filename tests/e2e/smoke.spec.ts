import { expect, test } from "@playwright/test";

test("the page opens and runs without an error", async ({ page }) => {
  const faults: string[] = [];
  page.on("pageerror", (error) => faults.push(error.message));
  page.on("console", (message) => {
    if (message.type() === "error") faults.push(message.text());
  });
  await page.goto("./");
  await expect(page).toHaveTitle(/QoScope/);
  await expect(page.getByRole("main")).toBeVisible();
  expect(faults).toEqual([]);
});
