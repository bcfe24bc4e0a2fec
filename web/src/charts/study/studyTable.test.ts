import { describe, expect, it } from "vitest";
import { cell, sweepTable, TRANSPORT, WEIGHT } from "../../answers/testStudy.ts";
import type { StudyFactor, StudyValue } from "../../generated/answers.d.ts";
import { parameterAxis } from "./parameterAxis.ts";
import { intervalText, pointText, tableHeaders, tableRows } from "./studyTable.ts";

describe("the table of a study", () => {
  it("has a row for every point: values, seeds, and of each measure the mean and its interval", () => {
    expect(tableHeaders(sweepTable).slice(0, 5)).toEqual([
      "ECN threshold K (packets)",
      "seeds",
      "Total throughput (Gb/s)",
      "low",
      "high",
    ]);
    const [first] = [...tableRows(sweepTable)];
    expect(first).toEqual([5, 8, 90, 89, 91, 300, 299, 301, 900, 899, 901, ""]);
    expect(first?.length).toBe(tableHeaders(sweepTable).length);
  });

  it("names points and intervals as the screen does", () => {
    const [first] = sweepTable.points;
    expect(first && pointText(sweepTable, first)).toBe("K 5 packets");
    expect(intervalText("Gb/s", cell(90))).toBe("89.0 to 91.0 Gb/s");
    expect(intervalText("us", cell(300, 1, 1))).toBe("");
  });
});

describe("the axis of what varies", () => {
  const axisOf = (factor: StudyFactor, values: readonly StudyValue[], width = 500) =>
    parameterAxis({ factor, values }, [0, width]);
  const labels = (...of: Parameters<typeof axisOf>) =>
    axisOf(...of).ticks.flatMap(({ label }) => label || []);

  it("has a tick for each of a few values, and round ones for many", () => {
    expect(labels(WEIGHT, [1, 3, 7])).toEqual(["1", "3", "7"]);
    const many = [5, 7, 10, 14, 20, 28, 40, 57, 80, 113, 160];
    expect(labels({ ...WEIGHT, scale: "log" }, many)).toEqual(["5", "10", "20", "50", "100"]);
  });

  it("places words side by side, and knows no word that is not among them", () => {
    const { at } = axisOf(TRANSPORT, ["qtcp", "dctcp"], 1);
    expect([at("qtcp"), at("dctcp"), at("cubic")]).toEqual([0.25, 0.75, null]);
    expect(labels(TRANSPORT, ["qtcp", "dctcp"])).toEqual(["QTCP", "DCTCP"]);
  });

  it("reaches from its first value to its last and no further", () => {
    const { at } = axisOf(WEIGHT, [1, 9], 1);
    expect([at(1), at(5), at(9), at(10)]).toEqual([0, 0.5, 1, null]);
    const log = axisOf({ ...WEIGHT, scale: "log" }, [1, 100], 1);
    expect([log.at(10), log.at(0)]).toEqual([0.5, null]);
    expect(axisOf(WEIGHT, [4], 1).at(4)).toBe(0.5);
  });
});
