import { readFileSync } from "node:fs";
import { expect, type Page, test } from "@playwright/test";
import { parquetMetadata } from "hyparquet";
import { dropFile } from "./explorer.ts";
import { briefStudy, button, done, letRunsGo, progress, runsMade, said, studyLink } from "./studies.ts";

const start = (page: Page) => button(page, /^(Start|Go on)$/).click();

test("a study goes on after a reload, and makes no run twice", async ({ page, context }) => {
  const made = await runsMade(context, 8);
  await page.goto(studyLink());
  await expect(said(page)).toContainText("Nothing has been run yet");
  await start(page);
  await expect(progress(page)).toHaveText("8 of 24 runs");
  await button(page, "Pause").click();
  await expect(said(page)).toContainText("Paused");
  // Those that workers have been given come to their ends, and no other begins.
  const before = 8 + (await letRunsGo(page));
  await expect(progress(page)).toHaveText(`${before} of 24 runs`);

  await page.reload();
  await letRunsGo(page);
  await expect(progress(page)).toHaveText(`${before} of 24 runs`);
  await expect(said(page)).toContainText(`${before} were kept from before`);
  expect(made).toHaveLength(before);
  await start(page);
  await done(page, before);
  await expect(progress(page)).toHaveText("24 of 24 runs");
  expect(made).toHaveLength(24);
  expect(new Set(made).size).toBe(24);

  // What another study needs of them is there at once, too.
  await page.goto("about:blank");
  await page.goto(studyLink({ ...briefStudy, title: "Another", seeds: { count: 3 } }));
  await done(page, 18);
  expect(made).toHaveLength(24);
});

test("a study that is left in the middle of its runs loses no more than those", async ({ page, context }) => {
  const made = await runsMade(context, 8);
  await page.goto(studyLink());
  await start(page);
  await expect(progress(page)).toHaveText("8 of 24 runs");
  await page.reload();
  await letRunsGo(page);
  await expect(said(page)).toContainText("8 were kept from before");
  await start(page);
  await done(page, 8);
  expect(made).toHaveLength(24);
  expect(new Set(made).size).toBe(24);
});

test("two windows share the runs of a study", async ({ page, context }) => {
  const made = await runsMade(context);
  const other = await context.newPage();
  for (const window of [page, other]) await window.goto(studyLink());
  for (const window of [page, other]) await start(window);
  for (const window of [page, other]) await done(window);
  expect(made).toHaveLength(24);
  expect(new Set(made).size).toBe(24);
});

test("a study is cancelled, keeps what is done, and can go on", async ({ page, context }) => {
  const made = await runsMade(context, 8);
  await page.goto(studyLink());
  await start(page);
  await button(page, "Cancel, keep 8").click();
  await expect(said(page)).toContainText("Cancelled");
  await expect(progress(page)).toHaveText("8 of 24 runs");
  await letRunsGo(page);
  await start(page);
  await done(page, 0);
  await expect(progress(page)).toHaveText("24 of 24 runs");
  expect(made).toHaveLength(24);
  expect(new Set(made).size).toBe(24);
});

test("kept results can be forgotten", async ({ page }) => {
  await page.goto(studyLink());
  await start(page);
  await done(page, 0);
  await expect(page.getByText("This browser keeps 24 results of all studies")).toBeVisible();
  await button(page, "Forget kept results").click();
  await expect(page.getByText("This browser keeps 24 results of all studies")).toBeHidden();
  await expect(progress(page)).toHaveText("24 of 24 runs");
  await page.reload();
  await expect(said(page)).toContainText("Nothing has been run yet");
});

test("a browser that keeps nothing runs studies all the same, and says so", async ({ page }) => {
  await page.route(/campaignWorker.*\.js$/, async (route) => {
    const response = await route.fetch();
    const body = `Object.defineProperty(self, "indexedDB", { value: undefined });\n${await response.text()}`;
    await route.fulfill({ response, body });
  });
  await page.goto(studyLink());
  await expect(said(page)).toContainText("keeps nothing for this page");
  await start(page);
  await done(page, 0);
  await expect(progress(page)).toHaveText("24 of 24 runs");
});

test("a study is saved as files, which open it again", async ({ page }) => {
  await page.goto(studyLink());
  await start(page);
  await done(page, 0);
  const saved = async (entry: string) => {
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: "Export", exact: true }).click();
    await page.getByRole("menuitem", { name: entry }).click();
    const file = await download;
    return { name: file.suggestedFilename(), content: readFileSync(await file.path()) };
  };
  const points = await saved("Points as CSV");
  expect(points.name).toMatch(/^three-writers.*-points-[0-9a-f]{8}\.csv$/);
  expect(points.content.toString().trimEnd().split("\n")).toHaveLength(2 + 1 + 6);
  const runs = await saved("Every run as CSV");
  expect(runs.content.toString().trimEnd().split("\n")).toHaveLength(2 + 1 + 24);
  const { content } = await saved("Every run as Parquet");
  const bytes = content.buffer.slice(content.byteOffset, content.byteOffset + content.length) as ArrayBuffer;
  expect(Number(parquetMetadata(bytes).num_rows)).toBe(24);
  const json = await saved("Study, table and answer as JSON");
  expect(Object.keys(JSON.parse(json.content.toString()))).toEqual(["study", "table", "answer"]);

  await page.goto("about:blank");
  await page.goto("./");
  await dropFile(page, json.name, json.content);
  await done(page, 24);
});

test("the file of a study is refused with everything that is wrong in it", async ({ page }) => {
  await page.goto("./");
  const wrong = {
    ...briefStudy,
    vary: [{ path: "switch.noSuchField", values: [1, 2] }],
    measures: [{ title: "one", value: "network.noSuchThing" }],
  };
  await dropFile(page, "wrong.json", JSON.stringify(wrong));
  const dialog = page.getByRole("dialog", { name: "“wrong.json” was not opened" });
  await expect(dialog).toContainText("vary[0].path");
  await expect(dialog).toContainText("measures[0].value");
  await page.keyboard.press("Escape");
  await dropFile(page, "cut.json", '{"measures": [], "ask": {');
  await expect(page.getByRole("dialog", { name: "“cut.json” was not opened" })).toBeVisible();
});

/** Results of other studies that the browser keeps. */
const OTHERS = 100_000;

test("a hundred thousand kept results do not keep a study from opening @full", async ({ page, context }) => {
  test.setTimeout(300_000);
  const made = await runsMade(context);
  await page.goto(studyLink());
  await start(page);
  await done(page, 0);
  await page.evaluate(async (count) => {
    const database = await new Promise<IDBDatabase>((resolve) => {
      const request = indexedDB.open("qoscope-results");
      request.onsuccess = () => resolve(request.result);
    });
    for (let from = 0; from < count; from += 10_000) {
      const transaction = database.transaction(["runs", "uses", "sums"], "readwrite");
      for (let at = from; at < from + 10_000; at++) {
        const key = at.toString(16).padStart(32, "0");
        transaction.objectStore("runs").put(crypto.getRandomValues(new Uint8Array(2000)), key);
        transaction.objectStore("uses").put({ at, bytes: 2000 }, key);
      }
      transaction
        .objectStore("sums")
        .put({ count: from + 10_000 + 24, bytes: 2000 * (from + 10_024) }, "all");
      await new Promise((resolve) => {
        transaction.oncomplete = resolve;
      });
    }
    database.close();
  }, OTHERS);
  await page.reload();
  await done(page, 24);
  await expect(page.getByText(/This browser keeps 100.024 results of all studies/)).toBeVisible();
  expect(made).toHaveLength(24);
  await button(page, "Forget kept results").click();
  await expect(page.getByText(/This browser keeps 100.024 results/)).toBeHidden();
});
