import { expect, test } from "@playwright/test";
import { faultsOf, openBriefWriters } from "./explorer.ts";

const K = "switch.ecnThresholdPackets";

test("a setting is varied from where it is explained, from the palette, and by a key", async ({ page }) => {
  const faults = faultsOf(page);
  await openBriefWriters(page);
  const threshold = page.getByRole("textbox", { name: "ECN threshold" });
  await threshold.press("?");
  const hint = page.getByRole("dialog", { name: "ECN threshold" });
  await hint.getByRole("button", { name: "Vary this" }).click();
  const varied = page.getByRole("group", { name: "ECN threshold K" });
  await expect(varied.getByLabel("To", { exact: true })).toBeVisible();
  // What the person has asked stays when the next setting is varied beside it.
  await varied.getByLabel("Values", { exact: true }).fill("3");
  await page.keyboard.press("Enter");

  await page.getByRole("navigation", { name: "Views" }).getByRole("button", { name: "Explore" }).click();
  await page.getByRole("textbox", { name: "Link rate" }).press("?");
  await page
    .getByRole("dialog", { name: "Link rate" })
    .getByRole("button", { name: "Vary beside ECN threshold K" })
    .click();
  await expect(page.getByRole("group", { name: "Link rate C" })).toBeVisible();
  await expect(varied.getByLabel("Values", { exact: true })).toHaveValue("3");

  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: /^Find an action/ }).fill("vary ratio high");
  await page.getByRole("option", { name: /Vary .*ratio/i }).first().click();
  await expect(page.locator(".study-factor")).toHaveCount(1);
  await expect(page.locator(".study-factor")).toHaveAttribute("data-factor", "classes[0].ratio");

  await page.getByRole("navigation", { name: "Views" }).getByRole("button", { name: "Explore" }).click();
  await page.locator("body").press("v");
  await expect(page.locator(".study-factor")).toHaveAttribute("data-factor", K);
  expect(faults).toEqual([]);
});
