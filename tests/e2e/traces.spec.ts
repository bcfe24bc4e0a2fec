import { gzipSync } from "node:zlib";
import { expect, test } from "@playwright/test";
import { asFastAsPossible, digest, dropFile, ended, faultsOf, passed } from "./explorer";

/** Lines of MSR Cambridge: a request every 10 us on two disks by turns, one in four of which reads; the third is damaged. */
function msr(requests: number): string {
  const lines = Array.from({ length: requests }, (_, number) => {
    const ticks = 128_166_372_003_061_629n + 100n * BigInt(number);
    return `${ticks},hm,${number % 2},${number % 4 === 0 ? "Read" : "Write"},${4096 * number},4096,10`;
  });
  lines.splice(2, 0, "128166372003061629,hm,1,Erase,0,4096,10");
  return `${lines.join("\n")}\n`;
}

test("a trace that is dropped is read, looked at and replayed; its link asks for it", async ({
  page,
  browser,
}) => {
  const faults = faultsOf(page);
  await page.goto("./");
  await dropFile(page, "hm_1.csv.gz", gzipSync(msr(2000)));
  const dialog = page.getByRole("dialog", { name: "Trace “hm_1.csv.gz”" });
  await expect(dialog).toContainText("msr");
  await expect(dialog).toContainText("Requests2000");
  await expect(dialog).toContainText("Line 3 has an unknown type");
  await expect(dialog.getByRole("row", { name: /hm_0 1000/ })).toBeVisible();
  // Ten ticks of 100 ns each.
  const recorded = dialog.getByRole("table", { name: "Latency as recorded" });
  await expect(recorded.getByRole("row", { name: /^Writes 1500 1\sµs 1\sµs 1\sµs/ })).toBeVisible();
  await dialog.getByRole("button", { name: "Replay it" }).click();
  await expect(dialog).toHaveCount(0);

  const panel = page.getByRole("region", { name: "Workloads" });
  await panel.getByRole("button", { name: /^High/ }).click();
  await expect(panel.getByText("hm_1.csv.gz")).toBeVisible();
  await panel.getByLabel("Volume", { exact: true }).selectOption("hm_1");
  await asFastAsPossible(page);
  await ended(page);
  await expect(page.getByText("thin: as recorded in hm_1.csv.gz")).toBeVisible();
  const replayed = await digest(page);

  const other = await (await browser.newContext({ reducedMotion: "reduce" })).newPage();
  await other.goto(page.url());
  await expect(other.getByText("The scenario replays the trace “hm_1.csv.gz”")).toBeVisible();
  await other
    .locator("input[type=file][aria-label='File of the trace']")
    .first()
    .setInputFiles({ name: "hm_1.csv.gz", mimeType: "application/gzip", buffer: gzipSync(msr(2000)) });
  await other.getByRole("dialog").getByRole("button", { name: "Replay it" }).click();
  await asFastAsPossible(other);
  await ended(other);
  expect(await digest(other)).toBe(replayed);
  expect(faults).toEqual([]);
});

test("what is no trace of any format is refused with a sentence", async ({ page }) => {
  await page.goto("./");
  await dropFile(page, "sales.csv", "2026,April,apples,many\n2026,May,pears,few\n");
  const dialog = page.getByRole("dialog", { name: "Trace “sales.csv”" });
  await expect(dialog.getByRole("alert")).toContainText("The trace is of no known format.");
  await dialog.getByRole("button", { name: "Close" }).click();
  await expect(dialog).toHaveCount(0);
});

test("a trace that is opened from the menu is read as one, and the menu begins where one starts", async ({
  page,
}) => {
  const faults = faultsOf(page);
  await page.goto("./");
  await passed(page, 100);
  await page.keyboard.press("/");
  await expect(page.getByRole("button", { name: /^Start here/ })).toHaveAttribute("aria-current", "true");
  const first = page.locator(".preset").first();
  const name = await first.locator(".preset-name > span").first().textContent();
  await expect(page).toHaveTitle(new RegExp(name ?? ""));
  const choosing = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: "Open a scenario or a trace" }).click();
  await (await choosing).setFiles({ name: "hm_1.csv", mimeType: "text/csv", buffer: Buffer.from(msr(2000)) });
  const dialog = page.getByRole("dialog", { name: "Trace “hm_1.csv”" });
  await expect(dialog).toContainText("msr");
  await expect(dialog.getByLabel("Workload that replays it")).toBeVisible();
  await dialog.getByRole("button", { name: "Replay it" }).click();
  await expect(dialog).toHaveCount(0);
  expect(faults).toEqual([]);
});
