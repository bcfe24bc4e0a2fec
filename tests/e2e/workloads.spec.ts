import { expect, type Page, test } from "@playwright/test";
import { asFastAsPossible, carriedGbps, digest, ended, faultsOf, openThreeWriters } from "./explorer";

/** The panel of workloads with its first one open. */
async function opened(page: Page) {
  const panel = page.getByRole("region", { name: "Workloads" });
  await panel.getByRole("button", { name: /^High/ }).click();
  return panel;
}

test("a workload is edited: the run follows, and its link restores it", async ({ page, browser }) => {
  const faults = faultsOf(page);
  await openThreeWriters(page);
  const panel = await opened(page);
  const commit = async (name: string, text: string) => {
    await panel.getByLabel(name, { exact: true }).fill(text);
    await page.keyboard.press("Enter");
  };
  await commit("Initiators", "h1, h99");
  await expect(panel.getByRole("alert")).toContainText("No host is called “h99”.");
  await expect(panel.getByLabel("Initiators", { exact: true })).toHaveValue("h1, h99");
  await commit("Initiators", "h1, h6");
  await commit("Start", "10 ms");
  await panel.getByLabel("Size", { exact: true }).selectOption("fixed");
  await commit("Bytes", "8192");
  await asFastAsPossible(page);
  await ended(page);
  const edited = await digest(page);
  // It begins in the middle of the run, and still has its share then.
  expect(await carriedGbps(page, "High")).toBeGreaterThan(10);
  await expect(panel.getByRole("button", { name: /h1, h6 → h12/ })).toBeVisible();

  const other = await (await browser.newContext({ reducedMotion: "reduce" })).newPage();
  await other.goto(page.url());
  expect(await digest(other)).toBe(edited);
  // In milliseconds.
  await expect((await opened(other)).getByLabel("Start", { exact: true })).toHaveValue("10");
  expect(faults).toEqual([]);
});
