import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "@playwright/test";
import { root } from "../../scripts/lib/process.mjs";
import { checkedProgram } from "../../scripts/lib/rust.mjs";
import { loadToolsWasm, loadWasm, runToEnd } from "../../scripts/lib/wasm.mjs";

const NAME = "paper1-fig9a";
const short = { durationUs: 3000, "measurement.warmupUs": 1000 };
const published = { kind: "number", value: 1, within: 0.5 };

/** A figure with all that a figure may need: paired runs, a sweep and a model. */
const figure = {
  id: "figure",
  title: "A figure",
  source: "Own scenario",
  section: "none",
  claim: "None.",
  runs: [
    { name: "first", scenario: NAME, set: short, seeds: 3 },
    { name: "second", scenario: NAME, set: { ...short, "classes[0].gain": 0.5 }, seeds: 3 },
    {
      name: "swept",
      scenario: NAME,
      set: short,
      seeds: 2,
      sweep: { path: "switch.ecnThresholdPackets", values: [20, 60] },
    },
  ],
  models: [{ kind: "overlay", name: "model", scenario: NAME }],
  quantities: [
    {
      label: "first over second",
      value: "first.classes[0].carriedGbps / second.classes[0].carriedGbps",
      decimals: 3,
      published,
    },
    {
      label: "shorter with a low threshold by",
      value: "swept[1].network.meanQueuePackets - swept[0].network.meanQueuePackets",
      published: { kind: "order", words: "shorter" },
    },
    {
      label: "simulated over modelled",
      value: "first.classes[0].carriedGbps / model.classes[0].carriedGbps",
      decimals: 3,
      published,
    },
  ],
};

test("a figure run in the module of the page gives rows and digest of the command line", async () => {
  const json = JSON.stringify(figure);
  const text = readFileSync(join(root, `scenarios/paper1/${NAME}.json`), "utf8");
  writeFileSync(test.info().outputPath(`${NAME}.json`), text);
  const file = test.info().outputPath("figure.json");
  writeFileSync(file, json);
  const native = await promisify(execFile)(checkedProgram, ["figure", file, "--format", "json"]).catch(
    // Rows that are missed are told by the exit code as well.
    (error: { stdout: string }) => error,
  );
  const { rows, digest } = JSON.parse(native.stdout);

  const wasm = await loadWasm();
  const scenarios = JSON.stringify({ [NAME]: JSON.parse(text) });
  const again = (await loadToolsWasm()).Campaign.figure(json, scenarios);
  const runs = JSON.parse(again.next(1000)) as { id: number }[];
  for (const { id } of runs.toReversed()) {
    expect(again.answer()).toBeUndefined();
    again.put(id, JSON.stringify(runToEnd(wasm, again.scenario(id) ?? "")));
  }
  const answer = JSON.parse(again.answer() ?? "null");

  expect(rows).toHaveLength(figure.quantities.length);
  expect(digest).toMatch(/^[0-9a-f]{16}$/);
  expect({ rows: answer.rows, digest: answer.digest }).toEqual({ rows, digest });
});
