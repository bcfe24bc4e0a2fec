import { describe, expect, it } from "vitest";
import { fromCargo, fromJunit, fromPlaywright, fromVitest, whole } from "../../scripts/lib/counts.mjs";

describe("the closing line of the tests", () => {
  it("sums every result line of cargo test", () => {
    const output = [
      "test result: ok. 12 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.01s",
      "test result: FAILED. 3 passed; 2 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.01s",
    ].join("\n");
    expect(fromCargo(output, 101)).toEqual({ passed: 15, failed: 2 });
  });

  it("counts a runner that broke off without a failed test as a failure", () => {
    expect(fromCargo("error[E0308]: mismatched types", 101)).toEqual({ passed: 0, failed: 1 });
    expect(fromVitest(undefined, 1)).toEqual({ passed: 0, failed: 1 });
    expect(fromPlaywright(undefined, 1)).toEqual({ passed: 0, failed: 1 });
    const suiteThatDidNotLoad = JSON.stringify({
      numPassedTests: 4,
      numFailedTests: 0,
      numFailedTestSuites: 1,
    });
    expect(fromVitest(suiteThatDidNotLoad, 1)).toEqual({ passed: 4, failed: 1 });
  });

  it("sums the suites of a JUnit report, without what was skipped", () => {
    const report = [
      '<testsuites name="pytest tests"><testsuite name="pytest" errors="1" failures="1" skipped="2" tests="9" time="2">',
      '<testcase classname="tests.test_a" name="test_holds" time="0.001" />',
      '<testcase classname="tests.test_a" name="test_breaks" time="0.001"><failure message="x">y</failure></testcase>',
      '<testcase classname="tests.test_a" name="test_left" time="0"><skipped type="z" /></testcase>',
      '<testcase classname="tests.test_b" name="test_stops" time="0"><error message="x">y</error></testcase>',
      "</testsuite></testsuites>",
    ].join("");
    expect(fromJunit(report, 1)).toEqual({ passed: 5, failed: 2, names: ["test_breaks", "test_stops"] });
    expect(fromJunit(undefined, 4)).toEqual({ passed: 0, failed: 1 });
    expect(fromJunit('<testsuite errors="0" failures="0" skipped="0" tests="3">', 0)).toEqual({
      passed: 3,
      failed: 0,
    });
  });

  it("names what failed, as each runner tells it", () => {
    const output = [
      "failures:",
      "",
      "---- planner::tests::adds_up stdout ----",
      "thread panicked",
      "",
      "failures:",
      "    planner::tests::adds_up",
      "    planner::tests::takes_away",
      "",
      "test result: FAILED. 3 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.01s",
    ].join("\n");
    expect(fromCargo(output, 101).names).toEqual(["planner::tests::adds_up", "planner::tests::takes_away"]);
    const vitest = {
      numPassedTests: 1,
      numFailedTests: 1,
      testResults: [
        { name: "a.test.ts", status: "failed", assertionResults: [{ status: "failed", fullName: "a adds" }] },
        { name: "b.test.ts", status: "failed", assertionResults: [] },
      ],
    };
    expect(fromVitest(JSON.stringify(vitest), 1).names).toEqual(["a adds", "b.test.ts"]);
    const specs = [
      { title: "opens", ok: true },
      { title: "closes", ok: false },
    ];
    const playwright = {
      stats: { expected: 1, unexpected: 1 },
      suites: [{ title: "e2e", suites: [{ title: "x", specs }] }],
    };
    expect(fromPlaywright(JSON.stringify(playwright), 1).names).toEqual(["closes"]);
  });

  it("takes a test that passed only when it was tried again for passed, and names it", () => {
    const specs = [
      { title: "opens", ok: true, tests: [{ status: "expected" }] },
      { title: "waits", ok: true, tests: [{ status: "flaky" }] },
      { title: "closes", ok: false, tests: [{ status: "unexpected" }] },
    ];
    const report = { stats: { expected: 1, unexpected: 1, flaky: 1 }, suites: [{ title: "x", specs }] };
    expect(fromPlaywright(JSON.stringify(report), 1)).toEqual({
      passed: 2,
      failed: 1,
      names: ["closes"],
      flaky: ["waits"],
    });
  });

  it("counts a check that is not made of tests as one", () => {
    expect([whole(0), whole(2)]).toEqual([
      { passed: 1, failed: 0 },
      { passed: 0, failed: 1 },
    ]);
  });
});
