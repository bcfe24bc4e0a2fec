import { readFileSync } from "node:fs";
import { expect, type Page, test } from "@playwright/test";
import { encodeFragment } from "../../web/src/scenario/codec.ts";
import type { StudyDocument } from "../../web/src/scenario/study.ts";
import type { Scenario } from "../../web/src/scenario/types.ts";
import { expectAccessible, WINDOWS } from "./accessible.ts";
import { briefWriters, faultsOf, openBriefWriters } from "./explorer.ts";

const K = "switch.ecnThresholdPackets";

/** A committed study with its scenario, as long as a test can wait for. */
function committed(name: string, durationUs: number) {
  const { scenario, ...study } = JSON.parse(readFileSync(`scenarios/studies/${name}.json`, "utf8"));
  return { scenario: { ...scenario, durationUs } as Scenario, study: study as StudyDocument };
}

/** Opens the view with a study and starts it. */
async function start(page: Page, scenario: Scenario, study: StudyDocument): Promise<void> {
  const state = { study: JSON.stringify(study) };
  await page.goto(`./${encodeFragment(scenario, JSON.stringify({ view: "sweep", state }))}`);
  await page.getByRole("button", { name: "Start" }).click();
}

/** Waits until the search has its answer. */
const answered = (page: Page, sentence: string | RegExp) =>
  expect(page.getByRole("heading", { name: sentence })).toBeVisible({ timeout: 90_000 });

/** The least K above the queue of four senders, whose buffers bound it. */
const leastK = committed("least-k", 8000);

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
  await page
    .getByRole("option", { name: /Vary .*ratio/i })
    .first()
    .click();
  await expect(page.locator(".study-factor")).toHaveCount(1);
  await expect(page.locator(".study-factor")).toHaveAttribute("data-factor", "classes[0].ratio");

  await page.getByRole("navigation", { name: "Views" }).getByRole("button", { name: "Explore" }).click();
  await page.locator("body").press("v");
  await expect(page.locator(".study-factor")).toHaveAttribute("data-factor", K);
  expect(faults).toEqual([]);
});

test("a search finds settings that meet its targets; they are applied, taken back, and compared", async ({
  page,
}) => {
  const faults = faultsOf(page);
  await start(page, leastK.scenario, leastK.study);
  await answered(page, /The targets? (is|are) met in \d+ of \d+ unseen seeds/);
  const answer = page.getByRole("region", { name: "The answer" });
  await expect(page.locator(".search-says")).toContainText("unseen seeds");
  const row = answer.getByRole("row").nth(1);
  await expect(row.getByRole("cell").first()).toHaveText("140 packets");
  const found = Number(/\d+/.exec((await row.getByRole("cell").nth(1).textContent()) ?? "")?.[0]);
  // Below it switches mark: the engine says what breaks there.
  await answer.getByText("Limit below").click();
  await expect(answer.locator("details[open]")).toContainText("marked packets");
  await expect(page.getByRole("region", { name: "How the targets fare" })).toContainText(" of 40");

  await answer.getByRole("button", { name: "Apply" }).click();
  await expect(page.getByRole("button", { name: "Undo" })).toBeEnabled();
  await page.getByRole("navigation", { name: "Views" }).getByRole("button", { name: "Explore" }).click();
  const threshold = page.getByRole("textbox", { name: "ECN threshold" });
  await expect(threshold).toHaveValue(String(found));
  await page.keyboard.press("Control+z");
  await expect(threshold).toHaveValue("140");
  await expect(page.getByRole("button", { name: "Undo" })).toBeDisabled();

  // What was found stands beside what theory recommends, and nothing is run again for it.
  await page.getByRole("navigation", { name: "Views" }).getByRole("button", { name: "Sweep" }).click();
  await answered(page, /The targets? (is|are) met in \d+ of \d+ unseen seeds/);
  await page.getByRole("navigation", { name: "Views" }).getByRole("button", { name: "Explore" }).click();
  await page.getByRole("button", { name: "Recommend" }).click();
  const recommended = page.getByRole("dialog", { name: "Recommended settings" });
  await expect(recommended).toContainText(`K 140 packets → ${found} packets`);
  await recommended.getByRole("button", { name: "Show the search" }).click();

  await answer.getByRole("button", { name: "Compare" }).click();
  await expect(page.getByRole("complementary", { name: "Differences" })).toContainText(
    `${found} packets → 140 packets`,
  );
  expect(faults).toEqual([]);
});

test("a search that cannot be met names what binds, and leads to targets that can", async ({ page }) => {
  const faults = faultsOf(page);
  const ask = leastK.study.ask.kind === "search" ? leastK.study.ask : null;
  const [marked] = ask?.targets ?? [];
  if (!ask || !marked) throw new Error("the study is a search");
  await start(page, leastK.scenario, {
    ...leastK.study,
    ask: { ...ask, targets: [marked, { measure: "throughput", atLeast: 20 }] },
  });
  await answered(page, /No setting meets the targets?|Not found/);
  const fares = page.getByRole("region", { name: "How the targets fare" });
  const binding = fares.getByRole("row", { name: /throughput at least 20/ });
  await expect(binding).toContainText("fails");
  await expect(binding).toContainText("misses by");
  await expect(page.getByRole("button", { name: "Apply the nearest" })).toBeVisible();
  await binding.getByRole("button", { name: /Ask for at least/ }).click();
  await expect(page.getByLabel("Target 2: at least")).not.toHaveValue("20");
  await page.getByRole("button", { name: /^(Start|Go on)$/ }).click();
  await answered(page, /The targets? (is|are) met in \d+ of \d+ unseen seeds/);
  expect(faults).toEqual([]);
});

/** Three settings of the network, of which the buffer does nothing. */
const matters: StudyDocument = {
  version: 2,
  title: "What matters",
  vary: [
    { path: K, range: { from: 10, to: 200, count: 8, scale: "log" } },
    { path: "topology.linkGbps", range: { from: 40, to: 100, count: 7 } },
    { path: "switch.bufferPackets", range: { from: 4000, to: 8000, count: 8 } },
  ],
  seeds: { count: 2 },
  measures: [
    { title: "Total throughput", value: "sum(classes.carriedGbps)", unit: "Gb/s" },
    { title: "p99 latency", value: "classes['{class}'].latencyUs.p99", unit: "us" },
  ],
  ask: { kind: "sensitivity", walks: 6 },
};

test("what matters is ranked, and leads on to the curve of a setting", async ({ page }) => {
  const faults = faultsOf(page);
  await start(page, briefWriters, matters);
  const total = page.getByRole("region", { name: /^Total throughput/ });
  await expect(total.getByRole("row").nth(1)).toContainText("Link rate", { timeout: 60_000 });
  await expect(total.getByRole("row").nth(1)).toContainText("raises it");
  await expect(page.getByRole("region", { name: /^p99 latency, / })).toHaveCount(3);
  const settings = page.getByRole("region", { name: /^Settings and their ranges/ });
  await expect(settings.getByRole("switch", { name: /Link rate/ })).toBeChecked();
  await settings.getByRole("button", { name: /^Show the other/ }).click();
  await expect(settings.getByRole("switch", { name: "Vary Seed" })).toHaveCount(0);
  await expect(settings.getByRole("switch", { name: "Vary Base RTT" })).not.toBeChecked();

  await total.getByRole("button", { name: "Vary Link rate C" }).click();
  await expect(page.getByRole("radio", { name: "Sweep" })).toBeChecked();
  const varied = page.getByRole("group", { name: "Link rate C" });
  await expect(varied.getByLabel("From", { exact: true })).toHaveValue("40");
  await page.getByRole("button", { name: "Start" }).click();
  await expect(page.getByText(/^Done/)).toBeVisible({ timeout: 60_000 });
  expect(faults).toEqual([]);
});

for (const [name, width, height] of WINDOWS) {
  const tag = name === "tablet" ? "@full" : [];
  test(`an answer and a ranking are accessible, in light and dark, ${name}`, { tag }, async ({ page }) => {
    await page.setViewportSize({ width, height });
    await start(page, leastK.scenario, leastK.study);
    await answered(page, /The targets? (is|are) met in \d+ of \d+ unseen seeds/);
    await expectAccessible(page);
    await page.emulateMedia({ colorScheme: "light" });
    await start(page, briefWriters, matters);
    await expect(page.getByRole("region", { name: /^Total throughput/ })).toBeVisible({ timeout: 60_000 });
    await expectAccessible(page);
  });
}
