/**
 * What a stage of the tests counted.
 *
 * @typedef {{ passed: number, failed: number }} Counts
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
const atLeastOne = ({ passed, failed }, code) => ({
  passed,
  failed: failed === 0 && code !== 0 ? 1 : failed,
});

/**
 * The sum of the `test result:` lines of `cargo test`.
 *
 * @param {string} output
 * @param {number} code
 * @returns {Counts}
 */
export function fromCargo(output, code) {
  const lines = [...output.matchAll(/^test result: \w+\. (\d+) passed; (\d+) failed;/gm)];
  const sum = (/** @type {number} */ group) => lines.reduce((total, line) => total + Number(line[group]), 0);
  return atLeastOne({ passed: sum(1), failed: sum(2) }, code);
}

/**
 * The totals of Vitest's JSON report.
 *
 * @param {string | undefined} report
 * @param {number} code
 * @returns {Counts}
 */
export function fromVitest(report, code) {
  const { numPassedTests = 0, numFailedTests = 0 } = report ? JSON.parse(report) : {};
  return atLeastOne({ passed: numPassedTests, failed: numFailedTests }, code);
}

/**
 * The totals of Playwright's JSON report.
 *
 * @param {string | undefined} report
 * @param {number} code
 * @returns {Counts}
 */
export function fromPlaywright(report, code) {
  const { expected = 0, unexpected = 0, flaky = 0 } = report ? JSON.parse(report).stats : {};
  return atLeastOne({ passed: expected, failed: unexpected + flaky }, code);
}
