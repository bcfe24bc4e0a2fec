import { expect, type Page, test } from "@playwright/test";
import { encodeFragment } from "../../web/src/scenario/codec.ts";
import type { Scenario } from "../../web/src/scenario/types.ts";
import { expectAccessible, WINDOWS } from "./accessible";
import { briefWriters, dropFile, ended, faultsOf, preset } from "./explorer";

/** Two tenants on a server of 528 requests a second. */
const tenants = preset("paper4-fig7-nested");

const link = (state: object = {}) =>
  `./${encodeFragment(tenants, JSON.stringify({ view: "plan", ...(Object.keys(state).length > 0 && { state }) }))}`;

const region = (page: Page, name: string | RegExp) => page.getByRole("region", { name });

/** Waits until nothing is being computed any more. */
async function planned(page: Page): Promise<void> {
  await expect(keeps(page, "Nested QoS")).toContainText("%");
  await expect(page.locator(".plan-progress")).toHaveCount(0);
  await expect(page.locator("[data-behind]")).toHaveCount(0);
}

const keeps = (page: Page, scheduler: string) =>
  region(page, "Who keeps the promise").getByRole("row", { name: scheduler });

test("the capacities of paper 4 follow contracts that are typed, drawn and undone; the link has them", async ({
  page,
  browser,
}) => {
  const faults = faultsOf(page);
  await page.goto(link());
  await planned(page);
  const capacity = region(page, /^Capacity/);
  await expect(capacity.getByRole("row", { name: /^Nested/ })).toContainText("352");
  await expect(capacity.getByRole("row", { name: /^Class 2/ })).toContainText(
    "32 / 500 ms + 320 (1 − 50 ms / 500 ms)",
  );
  await expect(region(page, /^Admission/)).toContainText("All contracts together need 528 of 528 requests/s");
  await expect(keeps(page, "Nested QoS")).toContainText("93.9");

  // Twice the burst in the same time is twice the capacity: the second tenant does not fit any more.
  const burst = page.getByLabel("Class 1, Burst");
  await burst.fill("32");
  await burst.press("Enter");
  await expect(capacity.getByRole("row", { name: /^Nested/ })).toContainText("640");
  await expect(region(page, /^Admission/).getByRole("row", { name: /^FinTrans/ })).toContainText("yes");
  await expect(region(page, /^Admission/).getByRole("row", { name: /^WebSearch/ })).toContainText("no");
  await page.getByRole("button", { name: /^Give it what is needed/ }).click();
  await expect(page.getByLabel("Capacity", { exact: true })).toHaveValue("816");
  await expect(region(page, /^Admission/)).toContainText("need 816 of 816 requests/s; nothing is left");

  const handle = page.getByRole("slider", { name: "Rate of class 3" });
  await handle.focus();
  await page.keyboard.press("ArrowUp");
  await expect(page.getByLabel("Class 3, Rate")).toHaveValue("352");
  await expect(page.getByLabel("Class 1, Rate")).toHaveValue("320");
  const dot = page.getByRole("slider", { name: "Burst of class 3" });
  const box = await dot.boundingBox();
  if (!box) throw new Error("the handle is not on the page");
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width / 2, box.y - 30, { steps: 5 });
  await page.mouse.up();
  await expect
    .poll(async () => Number(await page.getByLabel("Class 3, Burst").inputValue()))
    .toBeGreaterThan(64);
  const drawn = await page.getByLabel("Class 3, Burst").inputValue();
  await expect(page).toHaveURL(/#/);
  await planned(page);

  const other = await browser.newPage();
  await other.goto(page.url());
  await expect(other.getByLabel("Class 3, Burst")).toHaveValue(drawn);
  await expect(other.getByLabel("Capacity", { exact: true })).toHaveValue("816");
  await other.close();

  for (let step = 0; step < 4; step++) await page.getByRole("button", { name: "Undo", exact: true }).click();
  await expect(page.getByLabel("Class 1, Burst")).toHaveValue("16");
  await expect(capacity.getByRole("row", { name: /^Nested/ })).toContainText("352");
  expect(faults).toEqual([]);
});

test("what is planned stands beside what is simulated", async ({ browser }) => {
  const page = await (await browser.newContext({ reducedMotion: "reduce" })).newPage();
  const faults = faultsOf(page);
  await page.goto(link());
  await ended(page);
  await planned(page);
  const rows = region(page, /^Beside the simulation/).getByRole("row");
  for (const at of [1, 2, 3]) {
    const difference = rows.nth(at).getByRole("cell").last();
    await expect(difference).toContainText("points");
    const points = Number((await difference.innerText()).replace("−", "-").split(" ")[0]);
    expect(Math.abs(points)).toBeLessThan(1.5);
  }
  await page.getByLabel("Tenant", { exact: true }).selectOption("FinTrans");
  await expect(region(page, /^Capacity/).getByRole("row", { name: /^Nested/ })).toContainText("176");
  await keeps(page, "pClock").getByRole("button").click();
  await expect(page.getByRole("img", { name: /^Response times under pClock/ })).toBeVisible();
  expect(faults).toEqual([]);
});

test("pictures have twins in text, a stretch of time and a ladder, all in the link", async ({
  page,
  browser,
}) => {
  const faults = faultsOf(page);
  await page.goto(link());
  await planned(page);
  for (const [name, table] of [
    [/^At most so many requests of WebSearch/, /^Arrivals, table/],
    [/requests of WebSearch\. class 1/, /^Classes over time, table/],
    [/^Response times under/, /^Response times under .*, table/],
  ] as const) {
    await page.getByRole("img", { name }).focus();
    await page.keyboard.press("t");
    await expect(page.getByRole("region", { name: table })).toBeFocused();
    await page.keyboard.press("Escape");
    await expect(page.getByRole("img", { name })).toBeFocused();
  }
  await page.getByRole("button", { name: "Busiest moment" }).click();
  await page.getByRole("radio", { name: "Time", exact: true }).click();
  await expect(page.getByRole("img", { name: /requests of WebSearch come within 5 s/ })).toBeVisible();
  await page.getByLabel("Show the ladder").click();
  await expect(page.getByRole("img", { name: /the ladder then allows up to/ })).toBeVisible();

  const other = await browser.newPage();
  await expect(page).toHaveURL(/#/);
  await other.goto(page.url());
  await expect(other.getByRole("img", { name: /requests of WebSearch come within 5 s/ })).toBeVisible();
  await expect(other.getByRole("img", { name: /the ladder then allows up to/ })).toBeVisible();

  await page.getByRole("button", { name: "Simulate this ladder" }).click();
  await expect(page.getByText("The simulation runs this ladder.")).toBeVisible();
  expect(faults).toEqual([]);
});

test("a trace becomes a contract: it is read, suggests one, and runs end to end", async ({ page }) => {
  const faults = faultsOf(page);
  await page.goto(link());
  await planned(page);
  // A request every 4 ms, and every second 20 at once.
  const lines = Array.from({ length: 5000 }, (_, number) => {
    const second = Math.floor(number / 270);
    const within = number % 270;
    const us = 1e6 * second + (within < 20 ? 0 : 4000 * (within - 20));
    return `0,${8 * number},4096,R,${(us / 1e6).toFixed(6)}`;
  });
  await dropFile(page, "bank.spc", `${lines.join("\n")}\n`);
  await page.getByRole("dialog").getByRole("button", { name: "Replay it" }).click();
  await expect(page.getByRole("region", { name: "Contract of WebSearch", exact: true })).toContainText(
    "trace bank.spc",
  );
  const suggested = region(page, "Suggested contract");
  await expect(suggested).toContainText("99.9\u202f% within 500 ms");
  await suggested.getByRole("button", { name: "Use it" }).click();
  await expect(page.getByLabel("Class 1, Response time")).toHaveValue("5");
  await expect(region(page, /^Capacity/).getByRole("row", { name: /^Nested/ })).not.toContainText("352");
  await page.getByRole("button", { name: "Open in Explore" }).click();
  await expect(region(page, /^Where the time goes/)).toBeVisible();
  expect(faults).toEqual([]);
});

test("where nothing arrives by itself a stand-in is planned for, and says so", async ({ page }) => {
  const faults = faultsOf(page);
  await page.goto("./");
  await page.getByRole("button", { name: "Plan", exact: true }).click();
  const standIn = page.getByRole("complementary", { name: "Stand-in" });
  await expect(standIn).toContainText(
    /at the rates measured in the run take its place: High \d.* Gb\/s, Medium \d.* Gb\/s, Low \d/,
  );
  const suggested = page.getByText("Suggested by the workload");
  await expect(suggested).toBeVisible();
  await standIn.getByRole("button", { name: "Use these arrivals in the scenario" }).click();
  await expect(standIn).toBeHidden();
  await expect(suggested).toBeVisible();
  expect(faults).toEqual([]);
});

test("what cannot be planned for says why, and one button plans for something else", async ({ page }) => {
  const faults = faultsOf(page);
  // Requests that follow answers, and have not begun when the run ends: nothing is carried that could stand in for them.
  const workloads = briefWriters.workloads.map((workload) => ({
    ...workload,
    startUs: briefWriters.durationUs,
    traffic: { kind: "backlogged" as const },
  })) as Scenario["workloads"];
  await page.goto(`./${encodeFragment({ ...briefWriters, workloads }, JSON.stringify({ view: "plan" }))}`);
  await expect(page.getByText(/^High, Medium, Low: each follows the answers of the server/)).toBeVisible();
  await page.getByRole("button", { name: /^Open “Two tenants/ }).click();
  await planned(page);
  expect(faults).toEqual([]);
});

test("a server of constant capacity says how it works where others have queues, and leads to the plan", async ({
  page,
}) => {
  const faults = faultsOf(page);
  await page.goto(`./${encodeFragment(tenants, '{"view":"storage"}')}`);
  const server = region(page, "One request after the other");
  await expect(server).toContainText("Each takes 1.89 ms");
  await expect(server).toContainText("Nested QoS decides");
  await expect(page.getByRole("img", { name: /commands wait at/ })).toHaveCount(0);
  await server.getByRole("button", { name: /capacity the contracts/ }).click();
  await planned(page);
  expect(faults).toEqual([]);
});

for (const [frame, width, height] of WINDOWS) {
  const tag = frame === "desk" ? [] : "@full";
  test(`WCAG 2.2 AA of a plan: ${frame}`, { tag }, async ({ browser }) => {
    const context = await browser.newContext({ viewport: { width, height }, reducedMotion: "reduce" });
    const page = await context.newPage();
    await page.goto(link({ ladder: "on" }));
    await planned(page);
    await expectAccessible(page);
  });
}
