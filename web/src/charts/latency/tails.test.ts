import { describe, expect, it } from "vitest";
import type { FitOperation } from "../../generated/answers.d.ts";
import { tailRows, tailSentence } from "./tails.ts";

const numbers = { mean: 90, p50: 80, p99: 400, p999: null, iops: 11_000 };
const operation: FitOperation = {
  compared: { measured: numbers, simulated: { ...numbers, p99: 440 }, errors: { ...numbers, p99: 10 } },
  measuredTail: [
    [70, 0.9],
    [80, 0.5],
    [400, 0.01],
  ],
  simulatedTail: [
    [70, 0.9],
    [80, 0.5],
    [440, 0.01],
  ],
  measuredRequests: 100_000,
  simulatedRequests: 4000,
};

describe("two distributions of a job", () => {
  it("are told by the percentiles that both have", () => {
    const sentence = tailSentence("randread QD1", "reads", operation);
    expect(sentence).toContain("p99 400 µs measured, 440 µs simulated");
    expect(sentence).not.toContain("p99.9 ");
  });

  it("have a row for each percentile, not-a-number where a curve does not reach", () => {
    const rows = [...tailRows(operation)];
    expect(rows[0]).toEqual(["p50", 80, 80]);
    expect(rows[2]).toEqual(["p99", 400, 440]);
    expect(rows.at(-1)?.slice(1)).toEqual([Number.NaN, Number.NaN]);
  });
});
