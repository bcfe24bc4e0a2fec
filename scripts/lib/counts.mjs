/**
 * What a stage of the tests counted, and the names of what failed, as far as its runner tells them.
 *
 * @typedef {{ passed: number, failed: number, names?: string[] }} Counts
 */

/**
 * A stage that either passes or fails as a whole.
 *
 * @param {number} code exit code
 * @returns {Counts}
 */
export const whole = (code) => (code === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 });

/**
 * A runner that failed without a failed test (it did not build, or broke off) counts as one failure.
 *
 * @param {Counts} counts
 * @param {number} code exit code of the runner
 * @returns {Counts}
 */
const atLeastOne = ({ passed, failed, names = [] }, code) => ({
  passed,
  failed: failed === 0 && code !== 0 ? 1 : failed,
  ...(names.length > 0 && { names }),
});

/**
 * The sum of the `test result:` lines of `cargo test`; names stand under the last `failures:` before each.
 *
 * @param {string} output
 * @param {number} code
 * @returns {Counts}
 */
export function fromCargo(output, code) {
  const lines = [...output.matchAll(/^test result: \w+\. (\d+) passed; (\d+) failed;/gm)];
  const sum = (/** @type {number} */ group) => lines.reduce((total, line) => total + Number(line[group]), 0);
  const lists = [...output.matchAll(/^failures:\n((?: {4}\S.*\n)+)/gm)];
  const names = lists.flatMap(([, list = ""]) => list.trim().split("\n")).map((name) => name.trim());
  return atLeastOne({ passed: sum(1), failed: sum(2), names }, code);
}

/**
 * The totals of Vitest's JSON report.
 *
 * @param {string | undefined} report
 * @param {number} code
 * @returns {Counts}
 */
export function fromVitest(report, code) {
  const { numPassedTests = 0, numFailedTests = 0, testResults = [] } = report ? JSON.parse(report) : {};
  const names = testResults.flatMap((/** @type {VitestFile} */ { name, status, assertionResults = [] }) => {
    const failed = assertionResults.filter((test) => test.status === "failed").map((test) => test.fullName);
    return failed.length === 0 && status === "failed" ? [name] : failed;
  });
  return atLeastOne({ passed: numPassedTests, failed: numFailedTests, names }, code);
}

/** @typedef {{ name: string, status: string, assertionResults?: { status: string, fullName: string }[] }} VitestFile */

/**
 * The totals of Playwright's JSON report. A test that passed only when it was tried again has passed, and is named.
 *
 * @param {string | undefined} report
 * @param {number} code
 * @returns {Counts & { flaky?: string[] }}
 */
export function fromPlaywright(report, code) {
  const { stats = {}, suites = [] } = report ? JSON.parse(report) : {};
  const { expected = 0, unexpected = 0, flaky = 0 } = stats;
  const specs = suites.flatMap(specsOf);
  const titles = (/** @type {(spec: Spec) => boolean} */ which) =>
    specs.filter(which).map((/** @type {Spec} */ { title }) => title);
  const again = titles(({ tests = [] }) => tests.some(({ status }) => status === "flaky"));
  return {
    ...atLeastOne({ passed: expected + flaky, failed: unexpected, names: titles(({ ok }) => !ok) }, code),
    ...(again.length > 0 && { flaky: again }),
  };
}

/**
 * The totals of a JUnit report, as pytest writes it. A test that was skipped counts as neither.
 *
 * @param {string | undefined} report
 * @param {number} code
 * @returns {Counts}
 */
export function fromJunit(report = "", code) {
  const suites = [...report.matchAll(/<testsuite\s[^>]*>/g)].map(([tag]) => tag);
  const sum = (/** @type {string} */ name) =>
    suites.reduce((total, tag) => total + Number(new RegExp(` ${name}="(\\d+)"`).exec(tag)?.[1] ?? 0), 0);
  const failed = sum("failures") + sum("errors");
  const broken = report.matchAll(/<testcase\s[^>]*? name="([^"]*)"[^>]*>\s*<(?:failure|error)\b/g);
  const names = [...broken].map(([, name = ""]) => name);
  return atLeastOne({ passed: sum("tests") - failed - sum("skipped"), failed, names }, code);
}

/** @typedef {{ title: string, ok: boolean, tests?: { status: string }[] }} Spec */
/** @typedef {{ title: string, specs?: Spec[], suites?: Suite[] }} Suite */

/**
 * @param {Suite} suite
 * @returns {Spec[]}
 */
const specsOf = ({ specs = [], suites = [] }) => [...specs, ...suites.flatMap(specsOf)];
