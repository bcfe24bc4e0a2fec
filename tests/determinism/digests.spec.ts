import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { expect, test } from "@playwright/test";
import { checkedProgram } from "../../scripts/lib/rust.mjs";
import { loadWasm, runToEnd } from "../../scripts/lib/wasm.mjs";
import { openWasmPage, runInPage } from "../../scripts/lib/wasm-page.mjs";
import { scenarios } from "./scenarios";

/** The digest of a run covers all its results; equal digests mean the same run, bit for bit. */
function nativeDigest(scenarioFile: string): string {
  const { status, stdout, stderr } = spawnSync(checkedProgram, ["run", scenarioFile, "--format", "json"], {
    encoding: "utf8",
    maxBuffer: 2 ** 28,
  });
  expect(status, stderr).toBe(0);
  return JSON.parse(stdout).digest;
}

for (const scenario of scenarios) {
  test(`${scenario.name}: the same native, in Node and in Chromium`, async ({ page }, testInfo) => {
    const json = JSON.stringify(scenario);
    const file = testInfo.outputPath("scenario.json");
    writeFileSync(file, json);
    await openWasmPage(page);

    const native = nativeDigest(file);
    const node = runToEnd(await loadWasm(), json);
    const chromium = await runInPage(page, json);

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
