import { execFileSync } from "node:child_process";
import { expect, type Page, test } from "@playwright/test";
import { encodeFragment } from "../../web/src/scenario/codec";
import { violations } from "./accessible";
import { openThreeWriters, passed, preset, timeUs } from "./explorer";

const journey = (page: Page) => page.getByRole("region", { name: "One request" });
const sentence = (page: Page) => journey(page).locator(".journey-sentence");
const found = async (page: Page) => {
  await expect(journey(page)).toHaveAttribute("aria-busy", "false");
  await expect(sentence(page)).toBeVisible();
  return (await sentence(page).textContent()) ?? "";
};

test("one request is followed, the one that the command line finds; the run stays where it is", async ({
  page,
}) => {
  await openThreeWriters(page);
  await passed(page, 2000);
  await page.getByRole("button", { name: "Follow one request" }).click();
  const text = await found(page);
  expect(text).toMatch(
    /^Write of [\d.]+ [kM]?(B|bytes) by High, h0 to h12: [\d.]+ µs, slower than \d+ of 100\./,
  );
  const us = await timeUs(page);
  const native = JSON.parse(
    execFileSync(
      "wasm-core/target/debug/qoscope",
      [
        "follow",
        "scenarios/presets/three-writers.json",
        `--from-us=${us}`,
        "--slowest-of=100",
        "--format=json",
      ],
      { encoding: "utf8" },
    ),
  );
  const { issuedUs, doneUs } = native.moments;
  expect(text).toContain(`${Number((doneUs - issuedUs).toPrecision(4))} µs`);
  // Every link of its way has a place, there and back.
  const table = journey(page).getByRole("table");
  await journey(page).locator("[data-chart=journey]").focus();
  await page.keyboard.press("t");
  for (const place of ["h0 to e0.0", "e3.0 to h12", "h12 to e3.0"]) {
    await expect(table.getByRole("row", { name: new RegExp(`^${place}`) }).first()).toBeVisible();
  }
  await page.keyboard.press("Escape");
  expect(await timeUs(page)).toBe(us);
  expect(await violations(page)).toEqual([]);
});

test("slow motion goes from the first byte to the end; arrows and the pointer choose the instant", async ({
  page,
}) => {
  await openThreeWriters(page);
  await passed(page, 2000);
  await page.keyboard.press("f");
  await found(page);
  const now = journey(page).locator(".journey-now");
  const before = await now.textContent();
  await expect(now).not.toHaveText(before ?? "");
  await journey(page).getByRole("button", { name: "Stop slow motion" }).click();
  const chart = journey(page).locator("[data-chart=journey]");
  await chart.focus();
  await page.keyboard.press("End");
  await expect(now).toContainText("it is done");
  await page.keyboard.press("Home");
  await expect(now).toContainText("0 µs after it was issued");
  await journey(page).getByRole("button", { name: "Whole request" }).click();
  await chart.click({ position: { x: 300, y: 40 } });
  await expect(now).not.toContainText("0 µs after it was issued: h0, host queue;");
  await journey(page).getByRole("button", { name: "Slow motion" }).click();
  await expect(journey(page).getByRole("button", { name: "Stop slow motion" })).toBeVisible();
});

test("another class, another instant and another run are followed anew; the link brings it back", {
  tag: "@full",
}, async ({ page }) => {
  await openThreeWriters(page);
  await passed(page, 2000);
  await page.keyboard.press("f");
  const first = await found(page);
  await journey(page).getByLabel("Class of the request").selectOption({ label: "Low" });
  await expect(sentence(page)).toContainText("by Low, h4 to h12");
  await journey(page).getByLabel("Which request").selectOption({ label: "the next" });
  await expect(sentence(page)).not.toContainText("slower than");
  const next = await found(page);
  await page.getByRole("slider", { name: "Position in the run" }).focus();
  await page.keyboard.press("Shift+ArrowRight");
  await expect(sentence(page)).not.toHaveText(next);
  expect(await found(page)).not.toBe(first);
  // The link has the instant at which the run is paused: nothing has to be done to follow from there.
  await page.reload();
  await expect(sentence(page)).toContainText("by Low, h4 to h12");
  await journey(page).getByRole("button", { name: "Back to the charts" }).click();
  await expect(page.getByRole("region", { name: "Signals over time" })).toBeVisible();
});

test("a class without requests says so, and so does the end of a run", async ({ page }) => {
  await page.goto(`./${encodeFragment(preset("bench-dumbbell-10g"))}`);
  await passed(page, 1000);
  await page.keyboard.press("f");
  await expect(journey(page)).toContainText("sends data without end: it has no single requests.");
});

test("a read is followed into the flash and back", async ({ page }) => {
  await page.goto(`./${encodeFragment(preset("paper5-random-read-nvme-tcp"))}`);
  await passed(page, 500);
  await page.keyboard.press("f");
  expect(await found(page)).toMatch(/^Read of 8192 bytes by Reads, h0 to h1: .* Flash or memory/);
  await journey(page).locator("[data-chart=journey]").focus();
  await page.keyboard.press("t");
  await expect(
    journey(page)
      .getByRole("table")
      .getByText(/flash unit \d+/i)
      .first(),
  ).toBeVisible();
});
