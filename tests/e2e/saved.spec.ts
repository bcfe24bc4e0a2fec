import { expect, type Page, test } from "@playwright/test";
import { violations } from "./accessible";
import { asFastAsPossible, digest, ended, openBriefWriters, openThreeWriters, passed } from "./explorer";

async function openSavedList(page: Page): Promise<void> {
  await page.keyboard.press("/");
  await page.getByRole("button", { name: /^Saved here/ }).click();
}

async function save(page: Page, name: string): Promise<void> {
  await page.getByRole("button", { name: "Share", exact: true }).click();
  const share = page.getByRole("dialog", { name: "Share this run" });
  await share.getByLabel("Name").fill(name);
  await share.getByRole("button", { name: "Save" }).click();
  await expect(share.getByText("Saved. It is in the menu")).toBeVisible();
  await page.keyboard.press("Escape");
}

test("a run is saved, found after the page is loaded anew, renamed, deleted and put back", async ({
  page,
}) => {
  await openBriefWriters(page);
  await asFastAsPossible(page);
  await ended(page);
  const result = await digest(page);
  await page.getByRole("navigation", { name: "Views" }).getByRole("button", { name: "Plan" }).click();
  await save(page, "Three of mine");

  await page.goto("./?theme=light");
  await passed(page, 100);
  await openSavedList(page);
  const mine = page.getByRole("button", { name: /^Three of mine/ });
  await expect(mine).toContainText(result.replace(/(.{4})(?=.)/g, "$1 "));
  expect(await violations(page)).toEqual([]);
  await mine.click();
  await expect(page).toHaveTitle(/Three writers/);
  await expect(page.locator("main.plan")).toBeVisible();
  await asFastAsPossible(page);
  await ended(page);
  expect(await digest(page)).toBe(result);

  await openSavedList(page);
  await page.getByRole("button", { name: "Rename Three of mine" }).click();
  await page.getByLabel("New name of Three of mine").fill("Ours");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("button", { name: "Rename Ours" })).toBeFocused();
  await page.getByRole("button", { name: "Delete Ours" }).click();
  await expect(page.getByText("Nothing yet.")).toBeVisible();
  const notice = page.getByRole("status").filter({ hasText: "“Ours” is deleted" });
  await notice.getByRole("button", { name: "Undo" }).click();
  await expect(notice).toHaveCount(0);
  await openSavedList(page);
  await expect(page.getByRole("button", { name: /^Ours/ })).toBeVisible();
});

test("what is not a run is not shown as one, and nothing of a run that is refused comes to the page", async ({
  page,
}) => {
  await openThreeWriters(page);
  await passed(page, 100);
  await save(page, "Mine");
  await page.evaluate(async () => {
    const answer = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
      });
    const database = await answer(indexedDB.open("qoscope"));
    const store = database.transaction("runs", "readwrite").objectStore("runs");
    const [run] = await answer(store.getAll());
    await answer(store.put({ ...run, id: "spoiled", name: "Spoiled", scenario: '{"name":"Spoiled"}' }));
    await answer(store.put({ id: "other" }));
    database.close();
  });
  await openSavedList(page);
  await expect(page.getByText("One entry cannot be read")).toBeVisible();
  await page.getByRole("button", { name: "Delete it" }).click();
  await expect(page.getByText("One entry cannot be read")).toHaveCount(0);
  await page.getByRole("button", { name: /^Spoiled/ }).click();
  await expect(page.getByRole("dialog", { name: "“Spoiled” was not opened" })).toBeVisible();
  await expect(page).toHaveTitle(/Three writers/);
});

test("a browser that keeps nothing says so", async ({ page }) => {
  await page.addInitScript(() => {
    Object.defineProperty(window, "indexedDB", { get: () => undefined });
  });
  await openThreeWriters(page);
  await passed(page, 100);
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: /^Find an action/ }).fill("save this run in");
  await page.keyboard.press("Enter");
  await expect(page.getByLabel("Name", { exact: true })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByText(/was not saved: this browser keeps nothing/)).toBeVisible();
});
