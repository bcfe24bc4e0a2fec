import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { promisify } from "node:util";
import { expect, type Page, test } from "@playwright/test";
import { checkedProgram } from "../../scripts/lib/rust.mjs";
import { loadWasm, runToEnd } from "../../scripts/lib/wasm.mjs";
import { openWasmPage, runInPage } from "../../scripts/lib/wasm-page.mjs";
import { scenarios } from "./scenarios";

/** One page for all scenarios: a run leaves nothing behind. */
let page: Page;

test.beforeAll(async ({ browser }) => {
  page = await browser.newPage();
  await openWasmPage(page);
});
test.afterAll(() => page.close());

/** The digest of a run covers all its results; equal digests mean the same run, bit for bit. */
async function nativeDigest(scenarioFile: string): Promise<string> {
  const parameters = ["run", scenarioFile, "--format", "json"];
  const { stdout } = await promisify(execFile)(checkedProgram, parameters, { maxBuffer: 2 ** 28 });
  return JSON.parse(stdout).digest;
}

for (const scenario of scenarios) {
  test(`${scenario.name}: the same native, in Node and in Chromium`, async ({ browser: _ }, testInfo) => {
    const json = JSON.stringify(scenario);
    const file = testInfo.outputPath("scenario.json");
    writeFileSync(file, json);

    const elsewhere = Promise.all([nativeDigest(file), runInPage(page, json)]);
    const node = runToEnd(await loadWasm(), json);
    const [native, chromium] = await elsewhere;

    expect(native).toMatch(/^[0-9a-f]{16}$/);
    expect({ node: node.digest, chromium: chromium.digest }).toEqual({ node: native, chromium: native });
    expect(node.engine.packetHops).toBeGreaterThan(1000);
  });
}

test("another seed gives another digest", async () => {
  const wasm = await loadWasm();
  const [scenario] = scenarios;
  const digests = [1, 2].map((seed) => runToEnd(wasm, JSON.stringify({ ...scenario, seed })).digest);
  expect(digests[0]).not.toBe(digests[1]);
});
