import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, type Page, test } from "@playwright/test";
import { deflateSync } from "fflate";
import {
  asFastAsPossible,
  digest,
  dropFile,
  ended,
  FIRST_TITLE,
  faultsOf,
  openBriefWriters,
  openThreeWriters,
  passed,
  threeWriters,
  timeUs,
  unfold,
} from "./explorer";

const root = join(import.meta.dirname, "../..");

/** Opens a file by the button of the menu. */
async function openFile(page: Page, name: string, text: string | Buffer): Promise<void> {
  await page.keyboard.press("/");
  const choosing = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: "Open a scenario or a trace" }).click();
  await (await choosing).setFiles({ name, mimeType: "application/json", buffer: Buffer.from(text) });
}

const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth);
const timeline = Array.from({ length: 40_000 }, (_, i) => ({
  atUs: i / 10,
  path: "clases[0].ratio",
  value: i,
}));

const FILES: readonly (readonly [name: string, text: string | Buffer, reason: RegExp])[] = [
  ["empty.json", "", /is empty/],
  ["braces.json", "{}", /version/],
  ["draft.json", JSON.stringify({ ...threeWriters, version: 1 }), /draft/],
  ["package.json", readFileSync(join(root, "package.json"), "utf8"), /version/],
  ["no-classes.json", JSON.stringify({ ...threeWriters, classes: null }), /classes/],
  ["no-workloads.json", JSON.stringify({ ...threeWriters, workloads: [null] }), /workloads/],
  ["long-timeline.json", JSON.stringify({ ...threeWriters, timeline }), /timeline/],
  ["deep.json", nested(1_900_000), /./],
  ["deep-inside.json", `{"version":3,"name":${nested(100_000)}}`, /./],
  ["large.json", `{"name":"${"a".repeat(20 * 2 ** 20)}"}`, /20 MiB.*at most 16 MiB/],
  // In UTF-8 every byte that is no letter would be three, and the file larger than it is.
  ["picture.png", Buffer.alloc(10e6, 0xff), /not a text file/],
  ["packed.json.gz", gzipSync(JSON.stringify(threeWriters)), /packed by gzip/],
];

test("files that are no scenario are refused with the reason, and the run goes on", async ({ page }) => {
  const faults = faultsOf(page);
  await page.goto("./");
  await passed(page, 200);
  for (const [name, text, reason] of FILES) {
    await openFile(page, name, text);
    const dialog = page.getByRole("dialog", { name: `“${name}” was not opened` });
    await expect(dialog, name).toBeVisible();
    await expect(dialog, name).toContainText(reason);
    await dialog.getByRole("button", { name: "Close" }).click();
    await expect(page).toHaveTitle(FIRST_TITLE);
  }
  await asFastAsPossible(page);
  await ended(page);
  await expect(page.locator("html")).toHaveAttribute("data-generation", "1");
  expect(faults).toEqual([]);
});

test("a file that is dropped on the page is opened, or refused without leaving the page", async ({
  page,
}) => {
  await page.goto("./");
  await passed(page, 200);
  await dropFile(page, "notes.txt", "hello");
  await expect(page.getByRole("dialog", { name: "“notes.txt” was not opened" })).toBeVisible();
  await page.getByRole("button", { name: "Close" }).click();
  await dropFile(page, "mine.json", JSON.stringify({ ...threeWriters, name: "Dropped here" }));
  await expect(page).toHaveTitle(/Dropped here/);
});

test("a file that is dropped before the page has appeared is opened", async ({ page }) => {
  await page.addInitScript(
    (text) => {
      document.addEventListener("DOMContentLoaded", () => {
        const dataTransfer = new DataTransfer();
        dataTransfer.items.add(new File([text], "mine.json"));
        dispatchEvent(new DragEvent("drop", { dataTransfer, cancelable: true }));
      });
    },
    JSON.stringify({ ...threeWriters, name: "Dropped early" }),
  );
  await page.goto("./");
  await expect(page).toHaveTitle(/Dropped early/);
});

test("a link in the address of a running page that is no scenario leaves the run alone", async ({ page }) => {
  await page.goto("./");
  await passed(page, 200);
  const address = await page.evaluate(() => location.hash);
  for (const hash of ["#hello", "#2.abcdef.broken", "#1.this-is-no-scenario"]) {
    await page.evaluate((hash) => {
      location.hash = hash;
    }, hash);
    const dialog = page.getByRole("dialog");
    await expect(dialog).toContainText(/link/i);
    await dialog.getByRole("button", { name: "Close" }).click();
    await expect.poll(() => page.evaluate(() => location.hash)).toBe(address);
  }
  await expect(page).toHaveTitle(FIRST_TITLE);
  const before = await timeUs(page);
  await passed(page, before);
});

test("a hostile link is answered at once", async ({ page }) => {
  const link = (text: string) =>
    `./#1.${Buffer.from(deflateSync(new TextEncoder().encode(text))).toString("base64url")}`;
  for (const [name, text, reason] of [
    ["a bomb", `"${"a".repeat(50_000_000)}"`, /unpacks to more than the 16 MiB/],
    ["nested lists", nested(1_900_000), /An error keeps it from running/],
    ["JSON that is no scenario", JSON.stringify({ classes: null }), /error/],
  ] as const) {
    const fresh = await page.context().newPage();
    await fresh.goto(link(text));
    await expect(fresh.getByRole("main"), name).toContainText(reason, { timeout: 5000 });
    await expect(fresh.getByRole("button", { name: "Start from a preset" })).toBeVisible();
    await fresh.close();
  }
});

test("a link opens with what mail programs and trackers add, and not when it is damaged", async ({
  browser,
}) => {
  const context = await browser.newContext({ reducedMotion: "reduce" });
  const page = await context.newPage();
  await openBriefWriters(page);
  const first = await digest(page);
  await page.getByRole("button", { name: "Share", exact: true }).click();
  const link = await page.getByLabel("Link", { exact: true }).inputValue();
  for (const passedOn of [
    `${link}&fbclid=IwAR0x`,
    `${link.replace("#", "?utm_source=mail#")}?utm_medium=x`,
    link.replaceAll(".", (dot, at) => (at > link.indexOf("#") ? "%2E" : dot)),
    `${link}).`,
  ]) {
    const other = await context.newPage();
    await other.goto(passedOn);
    expect(await digest(other), passedOn).toBe(first);
    await other.close();
  }
  const at = link.indexOf("#") + 40;
  const damaged = link.slice(0, at) + (link[at] === "A" ? "B" : "A") + link.slice(at + 1);
  const other = await context.newPage();
  await other.goto(damaged);
  await expect(other.getByRole("main")).toContainText(/The link is (damaged|incomplete)/);
  await other.getByRole("button", { name: "Paste the full link" }).click();
  await other.getByLabel("Full link").fill(link);
  await other.getByRole("button", { name: "Open" }).click();
  expect(await digest(other)).toBe(first);
  await context.close();
});

test("a part of the page that cannot be drawn leaves the run alive and offers undo", async ({ page }) => {
  await page.addInitScript(() => {
    const { toPrecision } = Number.prototype;
    Number.prototype.toPrecision = function (digits) {
      if (digits === 6 && Number(this) === 666.5) throw new Error("injected by the test");
      return toPrecision.call(this, digits);
    };
  });
  await openThreeWriters(page);
  await passed(page, 200);
  await page.getByLabel("Duration", { exact: true }).fill("666.5 us");
  await page.keyboard.press("Enter");
  const failed = page.getByRole("alert").filter({ hasText: "Settings cannot be shown" });
  await expect(failed).toContainText("injected by the test");
  await expect(page.getByRole("region", { name: "Time", exact: true })).toBeVisible();
  await ended(page);
  await failed.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByLabel("Duration", { exact: true })).toHaveValue("20");
  await passed(page, 700);
});

const NONSENSE = ["", "-", "1e999", "-5", "abc", "0", "999999999999999999", "0x10", "１"];

/** Types texts into a number field, one after another, and puts back what it held. What was wrong with the answers. */
const typeInto = (input: HTMLInputElement, texts: readonly string[]): Promise<string[]> => {
  const label = input.getAttribute("aria-label") ?? "";
  const before = input.value;
  // With its unit: another value may be shown in another one.
  const whole =
    before && `${before} ${input.closest(".row-main")?.querySelector(".unit")?.textContent ?? ""}`;
  const drawn = () => new Promise((resolve) => requestAnimationFrame(resolve));
  const press = (key: string) =>
    input.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
  const type = async (text: string) => {
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set?.call(input, text);
    input.dispatchEvent(new Event("input", { bubbles: true }));
    await drawn();
    press("Enter");
    await drawn();
  };
  const answerTo = async (text: string) => {
    await type(text);
    const refused = input.getAttribute("aria-invalid") === "true";
    const said = [...document.querySelectorAll(".sidebar .diagnostic")]
      .map((item) => item.textContent)
      .join(" ");
    if (!refused && !/^(-5|0|9+|１)?$/.test(text)) return [`${label}, “${text}”: taken`];
    if (refused) press("Escape");
    else await type(whole);
    await drawn();
    // A class has its name in the label; K and RTT are as well known as the words.
    const named = label.split(", ").some((part) => said.toLowerCase().includes(part.toLowerCase()));
    if (refused && !named && !/\b(K|RTT)\b/.test(said)) return [`${label}, “${text}”: ${said}`];
    if (!refused && said !== "") return [`${label}, “${text}”: taken, yet ${said}`];
    return input.value === before ? [] : [`${label}, “${text}”: ${before} became ${input.value}`];
  };
  return texts.reduce<Promise<string[]>>(
    async (all, text) => [...(await all), ...(await answerTo(text))],
    Promise.resolve([]),
  );
};

test("a number field says by its name what is wrong with nonsense, and keeps its value", async ({ page }) => {
  const faults = faultsOf(page);
  await page.goto("./");
  await passed(page, 200);
  await page.getByRole("button", { name: "Pause" }).click();
  await page.getByRole("button", { name: "High", exact: true }).click();
  await expect(page.locator(".sidebar .class-details")).toBeVisible();
  await unfold(page);
  const fields = page.locator(".sidebar .number-field input:not([readonly])");
  const count = await fields.count();
  expect(count).toBeGreaterThan(30);
  for (let i = 0; i < count; i++) {
    // All fields are of one kind: each gets a third of it, by turns.
    const texts = NONSENSE.filter((_, number) => number % 3 === i % 3);
    expect(await fields.nth(i).evaluate(typeInto, texts)).toEqual([]);
  }
  await expect(fields).toHaveCount(count);
  await expect(page).toHaveTitle(FIRST_TITLE);
  await page.getByRole("button", { name: "Play" }).click();
  await passed(page, 300);
  expect(faults).toEqual([]);
});
