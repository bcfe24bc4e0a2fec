import { expect, type Page, test } from "@playwright/test";
import { asFastAsPossible, carriedGbps, ended, faultsOf, openThreeWriters, passed } from "./explorer";

const ports = (page: Page) => page.getByLabel("Ports per switch, k");

test("another k keeps the story: writers at compute hosts, one storage server, its switch port the bottleneck", async ({
  page,
}) => {
  const errors = faultsOf(page);
  await openThreeWriters(page);
  await passed(page, 200);
  await ports(page).selectOption("8");
  await expect(page.getByText("128 hosts, 80 switches")).toBeVisible();
  await asFastAsPossible(page);
  await ended(page);
  await expect(page.getByText(/port e\S+ to h80/).first()).toBeAttached();
  const [high, low] = [await carriedGbps(page, "High"), await carriedGbps(page, "Low")];
  expect(high / low).toBeGreaterThan(2);
  expect(errors).toEqual([]);
});

test("where classes must share a host the page says why Q stays away from 1, and gives them hosts again", async ({
  page,
}) => {
  const errors = faultsOf(page);
  await openThreeWriters(page);
  await passed(page, 200);
  await ports(page).selectOption("2");
  const notice = page.locator(".notice");
  await expect(notice).toContainText("3 classes send from host h0, and its own port is the bottleneck.");
  await page.getByRole("button", { name: "Use a fat-tree with k = 4" }).click();
  await expect(ports(page)).toHaveValue("4");
  await expect(notice).toHaveCount(0);
  await expect(page.locator(".chip", { hasText: "edited" })).toBeVisible();
  expect(errors).toEqual([]);
});
