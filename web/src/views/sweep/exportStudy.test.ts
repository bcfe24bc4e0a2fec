import { parquetMetadata, parquetReadObjects } from "hyparquet";
import { describe, expect, it } from "vitest";
import { rowsOf, toCsv } from "../../charts/frame/export.ts";
import { toParquet } from "../../charts/frame/parquet.ts";
import type { StudyPoint, StudyTable } from "../../generated/answers.d.ts";
import type { StudyDocument } from "../../scenario/study.ts";
import type { Scenario } from "../../scenario/types.ts";
import { jsonOf, pointsOf, runsOf, type StudyExport } from "./exportStudy.ts";

const factor = {
  symbol: null,
  unit: null,
  isWords: false,
  names: {},
  scale: "log",
  present: null,
  recommended: null,
} as const;
const point = (values: StudyPoint["values"], rest: Partial<StudyPoint>): StudyPoint => ({
  values,
  set: {},
  refused: null,
  seeds: 0,
  wanted: 2,
  isAdded: false,
  cells: [],
  ...rest,
});

const table: StudyTable = {
  factors: [
    { ...factor, title: "Threshold", symbol: "K", unit: "packets", paths: ["switch.ecnThresholdPackets"] },
    { ...factor, title: "Transport", isWords: true, names: { qtcp: "QTCP" }, paths: ["classes[].transport"] },
  ],
  measures: [{ title: "p99 latency, High", group: "p99 latency", class: "High", unit: "us" }],
  firstSeed: 10,
  points: [
    point([5, "qtcp"], {
      seeds: 2,
      cells: [{ mean: 0.30000000000000004, low: 0.1, high: 0.5, numbers: [0.1, 0.5], why: null }],
    }),
    point([9, "qtcp"], {
      seeds: 2,
      cells: [{ mean: 7, low: null, high: null, numbers: [null, 7], why: "It failed." }],
    }),
    point([9000, "qtcp"], {
      refused: "K must be at most 5000.",
      cells: [{ mean: null, low: null, high: null, numbers: [], why: null }],
    }),
  ],
};

const study = {
  version: 2,
  title: "K, and what it costs",
  measures: [],
  ask: { kind: "sweep" },
} as StudyDocument;
const stamp = { scenario: "Mine", hash: "0123", seed: "10 to 11", engineVersion: "0.1.0" };
const scenario = { name: "Mine" } as Scenario;
const of: StudyExport = { study, scenario, table, answer: { kind: "sweep", says: ["Least at 5."] }, stamp };

describe("a study as a file", () => {
  it("has a row for every point, with means and intervals, and says why one has none", () => {
    const [title, from, headers, ...rows] = toCsv(pointsOf(of), stamp).trimEnd().split("\n");
    expect(title).toBe("# K, and what it costs: means over seeds with 95 % intervals");
    expect(from).toBe("# Mine; scenario hash 0123; seed 10 to 11; QoScope engine 0.1.0");
    expect(headers?.split(",")).toHaveLength(8);
    expect(rows).toEqual([
      "5,QTCP,2,0.3,0.1,0.5,",
      "9,QTCP,2,7,,,",
      "9000,QTCP,0,,,,K must be at most 5000.",
    ]);
  });

  it("has a row for every run, under its seed", () => {
    const [, , headers, ...rows] = toCsv(rowsOf(runsOf(of)), stamp)
      .trimEnd()
      .split("\n");
    expect(headers).toBe('Threshold (packets),Transport,seed,"p99 latency, High (us)"');
    expect(rows).toEqual(["5,qtcp,10,0.1", "5,qtcp,11,0.5", "9,qtcp,10,", "9,qtcp,11,7"]);
  });

  it("has the same in Parquet, words as text, with every digit", async () => {
    const file = toParquet(runsOf(of), stamp);
    const rows = await parquetReadObjects({ file });
    expect(rows).toHaveLength(4);
    expect(rows[2]).toEqual({
      "Threshold (packets)": 9,
      Transport: "qtcp",
      seed: 10,
      "p99 latency, High (us)": null,
    });
    const { key_value_metadata } = parquetMetadata(file);
    expect(key_value_metadata?.find(({ key }) => key === "seed")?.value).toBe("10 to 11");
  });

  it("has the document with its scenario, the table and the answer in JSON", () => {
    expect(JSON.parse(jsonOf(of))).toEqual({ study: { ...study, scenario }, table, answer: of.answer });
  });
});
