import { gzipSync } from "node:zlib";
import { expect, test } from "@playwright/test";

/** Most bytes of what a person waits for until the first view appears and runs, packed as a server would (gzip -9). */
const LIMITS = {
  scripts: 220_000,
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
