import { expect, test } from "@playwright/test";
import { faultsOf, openThreeWriters } from "./explorer.ts";

test("K becomes what the network recommends with one action, and what it was with another", async ({
  page,
}) => {
  const faults = faultsOf(page);
  await page.setViewportSize({ width: 1440, height: 900 });
  await openThreeWriters(page);
  const threshold = page.getByRole("textbox", { name: "ECN threshold" });
  await expect(threshold).toHaveValue("140");
  await page.getByRole("button", { name: "Recommend" }).click();
  const list = page.getByRole("dialog", { name: "Recommended settings" });
  await expect(list).toContainText(
    "K 140 → 35 packets, because 1/7 of the 208 packets that 100 Gb/s × 25 µs hold is 29.8, 1/4 is 52.1",
  );
  await list.getByRole("button", { name: "Apply all" }).click();
  await expect(threshold).toHaveValue("35");
  await expect(list).toContainText("Applied");
  await list.getByRole("button", { name: "Put back" }).click();
  await expect(threshold).toHaveValue("140");
  await list.getByRole("button", { name: "Apply all" }).click();
  await page.keyboard.press("Escape");
  await page.keyboard.press("Control+z");
  await expect(threshold).toHaveValue("140");
  expect(faults).toEqual([]);
});
