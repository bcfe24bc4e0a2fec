import { gzipSync } from "node:zlib";
import { expect, test } from "@playwright/test";
import { encodeFragment } from "../../web/src/scenario/codec.ts";
import type { Scenario } from "../../web/src/scenario/types.ts";
import { dropFile, preset } from "./explorer";

/** Most bytes of what a person waits for until the first view appears and runs, packed as a server would (gzip -9). */
const LIMITS = {
  scripts: 235_000,
  wasm: 750_000,
};

/** Names of scripts that a script imports before it runs, in the notation of the bundler. */
const IMPORTED = /\b(?:import|from)\s*"\.\/([\w.-]+\.js)"/g;

test("the first view waits for few scripts, and for no others", async ({ page, request }) => {
  const html = await (await request.get("./")).text();
  const bytes = new Map<string, number>();
  async function add(path: string): Promise<string> {
    if (bytes.has(path)) return "";
    const script = await (await request.get(`./${path}`)).text();
    bytes.set(path, gzipSync(script, { level: 9 }).length);
    for (const [, imported = ""] of script.matchAll(IMPORTED)) await add(`assets/${imported}`);
    return script;
  }
  for (const [, path = ""] of html.matchAll(/(?:src|href)="\.\/([\w./-]+\.js)"/g)) {
    const [, view] = /import\([`"]\.\/(Explore-[\w-]+\.js)/.exec(await add(path)) ?? [];
    if (view) await add(`assets/${view}`);
  }
  const paths = [...bytes.keys()];
  expect(paths.filter((path) => /\b(index|Explore)-|^theme\./.test(path))).toHaveLength(3);
  const sum = [...bytes.values()].reduce((total, size) => total + size, 0);
  expect(sum, [...bytes].join("\n")).toBeLessThanOrEqual(LIMITS.scripts);

  await page.route(/\.js$/, (route) => {
    const path = new URL(route.request().url()).pathname.slice(1);
    return paths.includes(path) || /worker/i.test(path) ? route.continue() : route.abort();
  });
  await page.goto("./");
  await expect(page.getByRole("region", { name: "Settings" }).getByRole("slider").first()).toBeVisible();
  await expect(
    page.getByRole("region", { name: "Signals over time" }).getByRole("img").first(),
  ).toBeVisible();
  await expect(page.getByRole("alert")).toHaveCount(0);
});

test("the module of the engine is small", async ({ page }) => {
  const module = page.waitForResponse(/\.wasm$/);
  await page.goto("./");
  const response = await module;
  const packed = gzipSync(await response.body(), { level: 9 });
  expect(packed.length).toBeLessThanOrEqual(LIMITS.wasm);
  // And comes packed from the server of `npm start`.
  expect(response.headers()["content-encoding"]).toBe("gzip");
  expect((await response.request().sizes()).responseBodySize).toBeLessThanOrEqual(LIMITS.wasm);
});

test("each module is fetched once for opening, runs, the plan, a trace and repeated runs", async ({
  page,
}) => {
  const fetched: string[] = [];
  page.on("request", (request) => {
    if (/\.wasm$/.test(request.url())) fetched.push(request.url());
  });
  const short: Scenario = { ...preset("paper4-fig7-nested"), durationUs: 3000 };
  const state = { baselines: [{ ...short, seed: 7 }] };
  await page.goto(`./${encodeFragment(short, JSON.stringify({ view: "compare", state }))}`);
  const differences = page.getByRole("complementary", { name: "Differences" });
  await differences.getByLabel("Seeds", { exact: true }).selectOption("5");
  await differences.getByRole("button", { name: "Run them" }).click();
  await expect(differences).toContainText("10 runs done", { timeout: 60_000 });

  await page.getByRole("navigation", { name: "Views" }).getByRole("button", { name: "Plan" }).click();
  const promise = page.getByRole("region", { name: "Who keeps the promise" });
  await expect(promise.getByRole("row", { name: "Nested QoS" })).toContainText("%");

  await dropFile(
    page,
    "two.csv",
    "128166372003061629,hm,0,Read,0,4096,10\n128166372003061729,hm,0,Write,0,4096,10\n",
  );
  await expect(page.getByRole("dialog", { name: "Trace “two.csv”" })).toContainText("msr");
  // The second one compares the results of repeated runs.
  expect(fetched).toHaveLength(2);
  expect(new Set(fetched).size).toBe(2);
});
