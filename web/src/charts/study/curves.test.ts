import { describe, expect, it } from "vitest";
import { cell, gridTable, point, sweepTable, TRANSPORT } from "../../answers/testStudy.ts";
import type { StudyTable } from "../../generated/answers.d.ts";
import { nearestAlong } from "../drawing/hit.ts";
import { SvgSurface } from "../drawing/surface.ts";
import { THEME as theme } from "../drawing/testTheme.ts";
import {
  type CurvesPicture,
  columnStates,
  curvesFrame,
  curvesOf,
  curvesSentence,
  drawCurves,
  extentsOf,
  leastHeight,
  panelAt,
} from "./curves.ts";

const CLASSES = ["High", "Medium", "Low"];
const gutters = { left: 56, right: 120 };
const swept = (table: StudyTable = sweepTable) => curvesOf(table, { classes: CLASSES });
const drawn = (picture: CurvesPicture, width = 900, height = 600): string => {
  const surface = new SvgSurface(theme);
  drawCurves(surface, theme, width, height, gutters, picture, extentsOf(picture));
  return surface.document(width, height, "#fff", "t", "d");
};
const changed = (place: number, part: Partial<StudyTable["points"][number]>): StudyTable => ({
  ...sweepTable,
  points: sweepTable.points.map((item, at) => (at === place ? { ...item, ...part } : item)),
});
const words: StudyTable = {
  ...sweepTable,
  factors: [TRANSPORT],
  points: ["qtcp", "dctcp"].map((name) => point([name], [cell(90), cell(300), cell(900)])),
};

describe("curves of what varies", () => {
  it("are a panel for every measure, classes in their own looks", () => {
    const { panels } = swept();
    expect(panels.map(({ title, unit, lines }) => [title, unit, lines.map(({ name }) => name)])).toEqual([
      ["Total throughput", "Gb/s", ["Total throughput"]],
      ["p99 latency", "us", ["High", "Low"]],
    ]);
    expect(panels[1]?.lines.map(({ kindIndex }) => kindIndex)).toEqual([0, 2]);
    expect(panels[0]?.lines[0]?.kindIndex).toBeNull();
  });

  it("have their names at the ends of lines, and dashes of their classes", () => {
    const svg = drawn(swept());
    for (const text of ["High", "Low", "p99 latency", "recommended 30–52", "now 140", "K, packets"])
      expect(svg).toContain(`>${text}<`);
    expect(svg).toContain('stroke-dasharray="2 2.5"');
    expect(svg).toContain("axis starts at");
  });

  it("share one axis with a place for every value, upwards whatever the order of points", () => {
    const turned = swept({ ...sweepTable, points: sweepTable.points.toReversed() });
    expect(turned.axis.values).toEqual([5, 20, 80, 320]);
    const { columns } = curvesFrame(900, 600, gutters, turned, extentsOf(turned));
    expect(columns).toEqual([56, 297, 539, 780].map((x) => expect.closeTo(x, 0)));
    expect(turned.panels[0]?.points).toEqual([3, 2, 1, 0]);
  });

  it("mark values still to run, refused ones and added ones on the axis", () => {
    expect(columnStates(swept(changed(1, { seeds: 3 })))).toEqual(["done", "open", "done", "done"]);
    expect(columnStates(swept(changed(0, { refused: "K must be more" })))[0]).toBe("refused");
    expect(columnStates(swept(changed(2, { isAdded: true })))[2]).toBe("added");
    expect(drawn(swept(changed(1, { seeds: 3 })))).toContain("1 value still to run");
    expect(
      drawn(swept(changed(0, { refused: "no", cells: [cell(null), cell(null), cell(null)] }))),
    ).toContain(theme.danger);
  });

  it("leave the wide intervals of first seeds out of their axes", () => {
    const wide = changed(1, { seeds: 2, cells: [cell(91, 500, 2), cell(310, 1, 2), cell(850, 1, 2)] });
    expect(extentsOf(swept(wide))[0]).toEqual([89, 94]);
    const whole = changed(1, { cells: [cell(91, 5), cell(310), cell(850)] });
    expect(extentsOf(swept(whole))[0]).toEqual([86, 96]);
  });

  it("let very wide intervals run out, and show no amounts below zero", () => {
    const far = changed(1, { cells: [cell(91, 500), cell(310), cell(850)] });
    expect(extentsOf(swept(far))[0]).toEqual([66.75, 116.25]);
    const low = {
      ...sweepTable,
      points: [1, 9].map((mean) => point([mean], [cell(mean, 3), cell(300), cell(900)])),
    };
    expect(extentsOf(swept(low))[0]?.[0]).toBe(0);
  });

  it("have a logarithmic axis where means are of many orders, whatever intervals reach", () => {
    const of = (means: readonly number[], half: number) =>
      extentsOf(
        swept({
          ...sweepTable,
          points: means.map((mean) => point([mean], [cell(mean, half), cell(1), cell(1)])),
        }),
      )[0];
    expect(of([200, 900], 195)).toEqual([0, 1095]);
    expect(of([10, 9000], 20)).toEqual([5, 9020]);
  });

  it("have axes that only grow while results come", () => {
    expect(extentsOf(swept(), [[10, 200], null])).toEqual([
      [10, 200],
      [299, 901],
    ]);
  });

  it("of words are points without a line between, side by side by class", () => {
    const picture = swept(words);
    const svg = drawn(picture);
    expect(svg).toContain(">QTCP<");
    expect(svg).not.toContain('stroke-width="1.75"');
    expect(drawn(swept())).toContain('stroke-width="1.75"');
    expect(curvesSentence(picture)).toContain("Transport: QTCP, DCTCP");
  });

  it("of two factors are of one measure, with a panel for every value of the second and one extent", () => {
    const picture = curvesOf(gridTable, { classes: CLASSES, group: "Total throughput" });
    expect(picture.panels.map(({ title }) => title)).toEqual([
      "Weight of high priority 1",
      "Weight of high priority 2, now",
      "Weight of high priority 3",
    ]);
    expect(extentsOf(picture)).toEqual([
      [59, 83],
      [59, 83],
      [59, 83],
    ]);
    expect(picture.panels[2]?.points).toEqual([2, 5, 8]);
  });

  it("of three factors are those of one slice", () => {
    const three: StudyTable = {
      ...gridTable,
      factors: [...gridTable.factors, TRANSPORT],
      points: ["qtcp", "dctcp"].flatMap((name) =>
        gridTable.points.map((item) => ({ ...item, values: [...item.values, name] })),
      ),
    };
    const { panels } = curvesOf(three, { classes: CLASSES, group: "Total throughput", slice: "dctcp" });
    expect(panels[0]?.points).toEqual([9, 12, 15]);
  });

  it("find the value and the panel under a pointer", () => {
    const picture = swept();
    const frame = curvesFrame(900, 600, gutters, picture, extentsOf(picture));
    expect(nearestAlong(frame.columns, 310)).toBe(1);
    expect(nearestAlong(frame.columns, 2000)).toBe(3);
    expect(panelAt(frame, 10)).toBe(0);
    expect(panelAt(frame, 560)).toBe(1);
  });

  it("are whole in their least height, and say in words what they show", () => {
    const picture = swept();
    const { panels, bottom } = curvesFrame(900, leastHeight(picture), gutters, picture, extentsOf(picture));
    expect(panels.at(-1)?.bottom).toBeCloseTo(bottom);
    expect(curvesSentence(picture)).toBe(
      "Curves over K from 5 packets to 320 packets, all run. Total throughput is least, 90.0 Gb/s, at 5 and greatest, 93.0 Gb/s, at 320. p99 latency, High is least, 300 µs, at 5 and greatest, 330 µs, at 320. p99 latency, Low is least, 750 µs, at 320 and greatest, 900 µs, at 5.",
    );
    const open = changed(0, { seeds: 0, cells: [cell(null), cell(null), cell(null)] });
    expect(curvesSentence(swept({ ...open, points: open.points.slice(0, 1) }))).toContain("has no value yet");
  });

  it("of a thousand values are lines with a band, without marks of their own", () => {
    const many: StudyTable = {
      ...sweepTable,
      points: Array.from({ length: 1000 }, (_, at) => point([at + 1], [cell(90), cell(300), cell(900)])),
    };
    const svg = drawn(swept(many));
    expect(svg).toContain('fill-opacity="0.18"');
    expect(svg.match(/<path/g)?.length).toBeLessThan(60);
  });
});
