import { describe, expect, it } from "vitest";
import type { Picture } from "../../generated/answers.d.ts";
import {
  fitted,
  groupLabels,
  pictureFrame,
  plain,
  sentenceOf,
  stylesOf,
  tableOf,
  wrapped,
} from "./picture.ts";

const bars: Picture = {
  kind: "bars",
  x: { title: "" },
  y: { title: "Carried", unit: "Gb/s" },
  groups: ["DCTCP", "QTCP"],
  series: [
    {
      title: "High",
      class: "High",
      points: [
        [0, 33.1],
        [1, 48.2],
      ],
      halfWidths: [0.4, 0],
      published: [
        [0, 33],
        [1, 47, 49],
      ],
    },
    { title: "Low", class: "Low", points: [[0, 30]], published: [[1, 17]] },
  ],
};

const ratio: Picture = {
  kind: "time",
  x: { title: "Time", unit: "ms" },
  y: { title: "Q", log: true, min: 0.5, max: 2 },
  series: [
    {
      title: "High",
      class: "High",
      points: [
        [0, 2],
        [20, 1],
      ],
    },
  ],
  references: [{ title: "in balance", y: 1 }],
};

const labels = (ticks: readonly { readonly label: string }[]) => ticks.flatMap(({ label }) => label || []);

describe("a picture of results", () => {
  it("has bars from zero to beyond all that is drawn, published values too", () => {
    const { y, top, bottom } = pictureFrame(bars, 300, 120, true);
    expect(y.scale(0)).toBe(bottom);
    expect(y.scale(49)).toBeGreaterThanOrEqual(top);
    expect(labels(y.ticks)).toEqual(["0", "20", "40"]);
  });

  it("puts groups of bars side by side, each with its name", () => {
    const { x, left, right } = pictureFrame(bars, 300, 120, true);
    expect(labels(x.ticks)).toEqual(["DCTCP", "QTCP"]);
    expect(x.scale(0) - left).toBeCloseTo(right - x.scale(1));
  });

  it("draws ratios so that 2 and 0.5 are as far from 1", () => {
    const { y } = pictureFrame(ratio, 300, 120, false);
    expect(labels(y.ticks)).toEqual(["0.5", "1", "2"]);
    expect(y.scale(0.5) - y.scale(1)).toBeCloseTo(y.scale(1) - y.scale(2));
  });

  it("keeps to the ends of an axis that has its own", () => {
    const { y, top, bottom } = pictureFrame(
      { ...bars, y: { title: "Share", min: 20, max: 40 } },
      300,
      120,
      false,
    );
    expect(y.scale(20)).toBe(bottom);
    expect(y.scale(40)).toBe(top);
    expect(y.scale(0) - bottom).toBeLessThan(3);
  });

  it("labels tails by percentile", () => {
    const tail: Picture = {
      kind: "tail",
      x: { title: "Latency", unit: "µs" },
      y: { title: "Slower" },
      series: [
        {
          title: "High",
          class: "High",
          points: [
            [10, 1],
            [100, 0.1],
            [900, 0.002],
          ],
        },
      ],
    };
    const { y, x } = pictureFrame(tail, 600, 320, false);
    expect(labels(y.ticks)).toEqual(["p50", "p90", "p99"]);
    expect(x.scale(100) - x.scale(10)).toBeCloseTo(
      (x.scale(1000 - 100) - x.scale(10)) * (Math.log(10) / Math.log(90)),
    );
  });

  it("has the colours of classes, and ink for what is of none", () => {
    const [high, low, none] = stylesOf([...bars.series, { title: "All", class: null, points: [] }]);
    expect(high?.mark).toBe("var(--class-0-mark)");
    expect(low?.mark).toBe("var(--class-2-mark)");
    expect(none?.mark).toBe("var(--ink)");
  });

  it("draws a class that comes again fainter, and models thin", () => {
    const again = { title: "again", class: "High", points: [] };
    const styles = stylesOf([again, again, { ...again, model: true }]);
    expect(styles.map(({ opacity }) => opacity)).toEqual([1, 0.6, 1]);
    expect(styles.map(({ width }) => width)).toEqual([1.75, 1.75, 0.75]);
  });

  it("says in a sentence between what each series lies", () => {
    expect(sentenceOf(bars)).toBe(
      "Bars of Carried, Gb/s for DCTCP, QTCP: High 33.1 to 48.2; Low 30. Hollow marks are published values.",
    );
    expect(sentenceOf(ratio)).toBe("Curves over time of Q over Time, ms: High 1 to 2.");
  });

  it("is a table, with what was published where we have nothing", () => {
    const { headers, rows } = tableOf(bars);
    expect(headers).toEqual(["Group", "Series", "Carried, Gb/s", "Published"]);
    expect(rows).toEqual([
      ["DCTCP", "High", "33.1 ± 0.4", "33"],
      ["QTCP", "High", "48.2", "47–49"],
      ["DCTCP", "Low", "30", ""],
      ["QTCP", "Low", "–", "17"],
    ]);
    expect(tableOf(ratio).headers).toEqual(["Time, ms", "Series", "Q"]);
  });

  it("writes numbers with the digits that they need", () => {
    expect([0, 12345, 0.5, 33.12, 1.2345, 0.000123, -2.5].map(plain)).toEqual([
      "0",
      "12\u202f345",
      "0.5",
      "33.1",
      "1.23",
      "0.000123",
      "\u22122.5",
    ]);
  });

  it("has names of groups on two lines where one does not hold them, and room for those", () => {
    expect(wrapped("QTCP, g = 1/2", 100)).toEqual(["QTCP, g = 1/2"]);
    expect(wrapped("QTCP, g = 1/2", 60)).toEqual(["QTCP, g =", "1/2"]);
    expect(wrapped("DCTCP, storage by class", 60)).toEqual(["DCTCP,", "storage …"]);
    const long = { ...bars, groups: ["DCTCP, storage by class, and alike", "QTCP"] };
    expect(pictureFrame(long, 200, 120, true).bottom).toBeLessThan(pictureFrame(bars, 200, 120, true).bottom);
  });

  it("leaves out the names of all groups where one has no room, rather than of some", () => {
    expect(groupLabels(["1", "depth of 8"], 70)).toEqual([["1"], ["depth of 8"]]);
    expect(groupLabels(["1", "depth of 8"], 20)).toEqual([[], []]);
  });

  it("begins bars on a logarithmic axis below the least of them", () => {
    const { y, bottom } = pictureFrame(
      { ...bars, y: { title: "Latency", unit: "µs", log: true } },
      300,
      120,
      true,
    );
    expect(bottom - y.scale(17)).toBeGreaterThan(10);
    expect(labels(y.ticks)[0]).toBe("10");
  });

  it("cuts labels to their room, and leaves out what would say nothing", () => {
    expect(fitted("DCTCP", 60)).toBe("DCTCP");
    expect(fitted("16 senders by DCQCN", 60)).toBe("16 sende…");
    expect(fitted("DCTCP", 12)).toBe("");
  });
});
