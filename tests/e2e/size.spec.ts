import { gzipSync } from "node:zlib";
import { expect, test } from "@playwright/test";

/** Most bytes of what a person waits for until the first view appears and runs, packed as a server would (gzip -9). */
const LIMITS = {
  scripts: 182_000,
  wasm: 530_000,
};

/** Names of scripts that a script imports before it runs, in the notation of the bundler. */
const IMPORTED = /\b(?:import|from)\s*"\.\/([\w.-]+\.js)"/g;

test("the first view waits for few scripts, and for no others", async ({ page, request }) => {
  const html = await (await request.get("./")).text();
  const bytes = new Map<string, number>();
  async function add(name: string): Promise<string> {
    if (bytes.has(name)) return "";
    const script = await (await request.get(`./assets/${name}`)).text();
    bytes.set(name, gzipSync(script, { level: 9 }).length);
    for (const [, imported = ""] of script.matchAll(IMPORTED)) await add(imported);
    return script;
  }
  for (const [, name = ""] of html.matchAll(/(?:src|href)="\.\/assets\/([\w.-]+\.js)"/g)) {
    const [, view] = /import\([`"]\.\/(Explore-[\w-]+\.js)/.exec(await add(name)) ?? [];
    if (view) await add(view);
  }
  const names = [...bytes.keys()];
  expect(names.filter((name) => /^(index|Explore)-/.test(name))).toHaveLength(2);
  const sum = [...bytes.values()].reduce((total, size) => total + size, 0);
  expect(sum, [...bytes].join("\n")).toBeLessThanOrEqual(LIMITS.scripts);

  await page.route(/\.js$/, (route) => {
    const name = route.request().url().replace(/.*\//, "");
    return names.includes(name) || /worker/i.test(name) ? route.continue() : route.abort();
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
  const packed = gzipSync(await (await module).body(), { level: 9 });
  expect(packed.length).toBeLessThanOrEqual(LIMITS.wasm);
});
