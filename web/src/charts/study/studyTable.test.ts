import { describe, expect, it } from "vitest";
import { cell, sweepTable, TRANSPORT, WEIGHT } from "../../answers/testStudy.ts";
import { parameterAxis, parameterTicks } from "./parameterAxis.ts";
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
  it("has a tick for each of a few values, and round ones for many", () => {
    const few = parameterAxis(WEIGHT, [1, 3, 7]);
    expect(parameterTicks(few, 500).map(({ label }) => label)).toEqual(["1", "3", "7"]);
    const many = parameterAxis({ ...WEIGHT, scale: "log" }, [5, 7, 10, 14, 20, 28, 40, 57, 80, 113, 160]);
    expect(parameterTicks(many, 500).map(({ label }) => label)).toEqual(["5", "10", "20", "50", "100"]);
  });

  it("places words side by side, and knows no word that is not among them", () => {
    const axis = parameterAxis(TRANSPORT, ["qtcp", "dctcp"]);
    expect([axis.share("qtcp"), axis.share("dctcp"), axis.share("cubic")]).toEqual([0.25, 0.75, null]);
    expect(parameterTicks(axis, 500).map(({ label }) => label)).toEqual(["QTCP", "DCTCP"]);
  });

  it("reaches from its first value to its last and no further", () => {
    const axis = parameterAxis(WEIGHT, [1, 9]);
    expect([axis.share(1), axis.share(5), axis.share(9), axis.share(10)]).toEqual([0, 0.5, 1, null]);
    const log = parameterAxis({ ...WEIGHT, scale: "log" }, [1, 100]);
    expect([log.share(10), log.share(0)]).toEqual([0.5, null]);
    expect(parameterAxis(WEIGHT, [4]).share(4)).toBe(0.5);
  });
});
