import { parquetMetadata, parquetReadObjects } from "hyparquet";
import { describe, expect, it } from "vitest";
import { rowsOf, toCsv } from "../charts/frame/export.ts";
import { toParquet } from "../charts/frame/parquet.ts";
import { createRunView } from "../run/recorder.ts";
import type { RunLayout } from "../run/types.ts";
import { samplesOf } from "./exportRun.ts";

const run = createRunView({
  classes: [{ name: "High" }, { name: "Low, slow" }],
  sampleColumns: ["timeUs", "queueMean", "goodputGbps.0", "goodputGbps.1"],
  flowColumns: [],
  figureColumns: [],
  deviceColumns: [],
  devices: [],
  graph: { nodes: [], links: [], flows: [], bottleneck: -1 },
} as unknown as RunLayout);
run.update({ rows: Float64Array.of(10, 2.5, 40, Number.NaN, 20, 3, 41, 9), nowUs: 25 });

const stamp = { scenario: "Mine", hash: "0123", seed: 7, engineVersion: "0.1.0" };

describe("the run as CSV", () => {
  it("has a row for each sample, columns named after classes, and says where it comes from", () => {
    expect(toCsv(rowsOf(samplesOf(run)), stamp).split("\n")).toEqual([
      "# Samples up to 0.025 ms",
      "# Mine; scenario hash 0123; seed 7; QoScope engine 0.1.0",
      'timeUs,queueMean,goodputGbps.High,"goodputGbps.Low, slow"',
      "10,2.5,40,",
      "20,3,41,9",
      "",
    ]);
  });
});

describe("what is noted of a run", () => {
  const notes = [
    { number: 1, text: "Two\nlines, <b>one</b>", timeUs: 2500, node: "e0.0" },
    { number: 2, text: "No instant", timeUs: null, node: "h1" },
  ];

  it("stands above the rows of the CSV, a line each", () => {
    expect(
      toCsv(rowsOf(samplesOf(run, notes)), stamp)
        .split("\n")
        .slice(1, 5),
    ).toEqual([
      "# Mine; scenario hash 0123; seed 7; QoScope engine 0.1.0",
      "# Note 1, 2.500 ms, e0.0: Two lines, <b>one</b>",
      "# Note 2, h1: No instant",
      'timeUs,queueMean,goodputGbps.High,"goodputGbps.Low, slow"',
    ]);
  });

  it("is among the metadata of the Parquet", () => {
    const { key_value_metadata } = parquetMetadata(toParquet(samplesOf(run, notes), stamp));
    expect(key_value_metadata?.find(({ key }) => key === "notes")?.value).toMatch(
      /^Note 1.*\nNote 2, h1: No instant$/,
    );
  });
});

describe("the run as Parquet", () => {
  it("has the columns, rows and values of the CSV, and says where it comes from", async () => {
    const file = toParquet(samplesOf(run), stamp);
    const [title, , headers, ...lines] = toCsv(rowsOf(samplesOf(run)), stamp)
      .trimEnd()
      .split("\n");
    const rows = await parquetReadObjects({ file });
    expect(
      rows.map((row) =>
        Object.values(row)
          .map((value) => value ?? "")
          .join(),
      ),
    ).toEqual(lines);
    expect(Object.keys(rows[0] ?? {})).toEqual([
      "timeUs",
      "queueMean",
      "goodputGbps.High",
      "goodputGbps.Low, slow",
    ]);
    expect(headers).toBe('timeUs,queueMean,goodputGbps.High,"goodputGbps.Low, slow"');

    const { key_value_metadata, created_by } = parquetMetadata(file);
    const told = Object.fromEntries(key_value_metadata?.map(({ key, value }) => [key, value]) ?? []);
    expect(told).toEqual({ title: title?.slice(2), ...stamp, seed: "7" });
    expect(created_by).toBe("QoScope version 0.1.0");
  });

  it("has every digit of a value, and null where none applies", async () => {
    const values = Float64Array.of(0.1 + 0.2, Number.NaN, Number.MIN_VALUE, -0);
    const file = toParquet({ title: "", columns: [{ name: "x", values }] }, stamp);
    const read = await parquetReadObjects({ file });
    expect(read.map(({ x }) => x)).toEqual([0.1 + 0.2, null, Number.MIN_VALUE, -0]);
  });

  it("is a file also of a run without samples", async () => {
    const empty = createRunView(run.layout);
    expect(await parquetReadObjects({ file: toParquet(samplesOf(empty), stamp) })).toEqual([]);
  });
});
