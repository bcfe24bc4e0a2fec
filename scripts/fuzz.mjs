/**
 * `npm run fuzz [-- --minutes N] [--cases N] [--seed S] [--jobs N]`: random scenarios with live changes, and damaged
 * documents, against the engine; results must keep the rules of `wasm-core/crates/fuzz` and be the same by way of WASM.
 * What fails is made smaller and kept in `.cache/fuzz/`. `--case FILE` does one of these again, or any scenario.
 */
import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { openExaminer } from "./lib/fuzz/examine.mjs";
import { fuzz } from "./lib/fuzz/session.mjs";
import { prepareWasm } from "./lib/prepare.mjs";
import { log, script, UserError } from "./lib/process.mjs";
import { buildFuzzer } from "./lib/rust.mjs";

/**
 * A number of the command line.
 *
 * @param {string | undefined} text
 * @param {string} name
 * @param {number} least
 */
function number(text, name, least) {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (!(value >= least)) throw new UserError(`--${name} takes a number from ${least} on.`);
  return value;
}

/** @param {string} file */
async function replay(file) {
  const examiner = openExaminer();
  const failures = await examiner.examine(readFileSync(resolve(process.env.INIT_CWD ?? ".", file), "utf8"));
  await examiner.close();
  for (const { rule, found } of failures) console.log(`${rule}: ${found}`);
  console.log(failures.length === 0 ? "Every rule holds." : `${failures.length} rules do not hold.`);
  return failures.length === 0 ? 0 : 1;
}

await script(async () => {
  const { values } = parseArgs({
    options: {
      minutes: { type: "string" },
      cases: { type: "string" },
      seed: { type: "string" },
      jobs: { type: "string" },
      case: { type: "string" },
    },
  });
  const cases = number(values.cases, "cases", 1);
  const options = {
    cases,
    minutes: number(values.minutes, "minutes", 0) ?? (cases === undefined ? 1 : undefined),
    seed: number(values.seed, "seed", 0) ?? Math.floor(Math.random() * 2 ** 32),
    jobs: number(values.jobs, "jobs", 1) ?? availableParallelism(),
  };
  await prepareWasm();
  await buildFuzzer();
  if (values.case !== undefined) return replay(values.case);
  log(`Seed ${options.seed}, ${options.jobs} jobs`);
  const { passed, failed } = await fuzz(options);
  console.log(`${passed} cases passed, ${failed} failed (seed ${options.seed})`);
  return failed === 0 ? 0 : 1;
});
