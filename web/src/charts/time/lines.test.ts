import { describe, expect, it } from "vitest";
import { createRunView } from "../../run/recorder.ts";
import { timePlot } from "../drawing/plot.ts";
import { SvgSurface } from "../drawing/surface.ts";
import type { Theme } from "../drawing/theme.ts";
import type { By } from "../form.ts";
import { createRangeKeeper } from "./chartModel.ts";
import { createTimeCursor } from "./cursor.ts";
import { linesModel, linesOf } from "./lines.ts";
import { isRecordedByFlow, quantity } from "./quantities.ts";

const FLOWS = 9;
const SAMPLES = 20;

/** Two classes with nine connections from h0.. to s0, alpha recorded for both, pauses for the fabric. */
function run() {
  const view = createRunView({
    version: "0",
    hash: "0",
    classes: [
      { name: "High", transport: "qtcp" },
      { name: "Low", transport: "qtcp" },
    ],
    samplePeriodUs: 10,
    baseRttUs: 25,
    classRttUs: [],
    convergenceBand: 0.05,
    warmupUs: 0,
    durationUs: 1000,
    nowUs: 100,
    sampleColumns: ["timeUs", "pausedLinks", "alpha.0", "alpha.1"],
    stages: [],
    deviceColumns: [],
    devices: [],
    flowColumns: Array.from({ length: FLOWS }, (_, flow) => `alpha.${flow}`),
    figureColumns: [],
    graph: {
      nodes: [...Array.from({ length: FLOWS }, (_, h) => `h${h}`), "s0"].map((name, index) => ({
        name,
        kind: "host" as const,
        tier: 0,
        pod: -1,
        index,
        storage: false,
      })),
      links: [],
      flows: Array.from({ length: FLOWS + 3 }, (_, flow) => ({
        class: flow % 2,
        source: flow % FLOWS,
        destination: FLOWS,
        path: [],
      })),
      bottleneck: -1,
    },
  });
  const rows = Array.from({ length: SAMPLES }, (_, s) => [10 * (s + 1), 2, 0.25, Number.NaN]);
  const flowRows = rows.map(() => Array.from({ length: FLOWS }, (_, flow) => (flow + 1) / 10));
  view.update({
    rows: new Float64Array(rows.flat()),
    flowRows: new Float64Array(flowRows.flat()),
    nowUs: 10 * SAMPLES,
  });
  return view;
}

const theme = {
  bg: "#fff",
  ink: "#000",
  t2: "#444",
  t3: "#666",
  line: "#eee",
  line2: "#888",
  font: "",
  symbolFont: "",
  classes: Array.from({ length: 8 }, (_, i) => ({
    mark: `#m${i}`,
    label: `#l${i}`,
    dash: i === 0 ? [] : [i, i],
    marker: "circle" as const,
  })),
} as unknown as Theme;
const plot = timePlot(theme, 744, 160, { left: 56, right: 120 }, [0, 1000]);

const model = (by: By, id: "alpha" | "pausedLinks" = "alpha") =>
  linesModel(
    {
      run: run(),
      domainUs: [0, 1000],
      gutters: { left: 56, right: 120 },
      cursor: createTimeCursor(),
      height: 160,
    },
    quantity(id),
    by,
    createRangeKeeper(),
  );

const drawn = (by: By, id?: "pausedLinks") => {
  const surface = new SvgSurface(theme);
  model(by, id).draw(surface, plot);
  return surface.document(744, 160, "#fff", "t", "d");
};

describe("the quantities of the chart of choice", () => {
  it("are of single connections where the engine samples them", () => {
    const view = run();
    expect(isRecordedByFlow(view, quantity("alpha"))).toBe(true);
    expect(isRecordedByFlow(view, quantity("rateGbps"))).toBe(false);
    expect(isRecordedByFlow(view, quantity("pausedLinks"))).toBe(false);
  });
});

describe("lines", () => {
  it("are one a storage device for what devices have, in ink, with the mean of the present beside them", () => {
    const SSD = { node: 0, name: "ssd0", kind: "ssd", channels: 1, units: 1, sampledByUnit: false } as const;
    const { layout } = run();
    const view = createRunView({
      ...layout,
      deviceColumns: ["inDevice"],
      devices: [SSD, { ...SSD, name: "ssd1" }],
    });
    const rows = new Float64Array([10, 0, 0.5, 0.5, 20, 0, 0.5, 0.5]);
    view.update({ rows, deviceRows: new Float32Array([4, 8, 6, 10]), nowUs: 20 });
    const inDevice = quantity("inDevice");
    const lines = linesOf(view, inDevice, "class");
    expect(lines.map(({ name, classIndex }) => [name, classIndex])).toEqual([
      ["h0, ssd0", null],
      ["h0, ssd1", null],
    ]);
    const chart = linesModel(
      {
        run: view,
        domainUs: [0, 100],
        gutters: { left: 56, right: 120 },
        cursor: createTimeCursor(),
        height: 160,
      },
      inDevice,
      "class",
      createRangeKeeper(),
    );
    expect(chart.sentence(1)).toBe("In device at 0.020 ms: h0, ssd0 6, h0, ssd1 10 commands.");
    const surface = new SvgSurface(theme);
    chart.draw(surface, plot);
    expect(surface.document(744, 160, "#fff", "t", "d")).toContain("mean of 2");
  });

  it("are one a class, one a recorded connection, or one for the fabric", () => {
    const view = run();
    expect(linesOf(view, quantity("alpha"), "class").map((line) => line.name)).toEqual(["High", "Low"]);
    const single = linesOf(view, quantity("alpha"), "connection");
    expect(single).toHaveLength(FLOWS);
    expect(single[1]?.name).toBe("Low, h1 → s0");
    expect(linesOf(view, quantity("pausedLinks"), "connection")).toMatchObject([{ classIndex: null }]);
  });

  it("are numbered where several connections join the same hosts", () => {
    const view = run();
    const graph = {
      ...view.layout.graph,
      flows: view.layout.graph.flows.map((flow, i) => (i < 4 ? { ...flow, class: 0, source: i % 2 } : flow)),
    };
    const twice = { ...view, layout: { ...view.layout, graph } };
    expect(
      linesOf(twice, quantity("alpha"), "connection")
        .slice(0, 4)
        .map((line) => line.name),
    ).toEqual([
      "High, h0 → s0, no. 1",
      "High, h1 → s0, no. 1",
      "High, h0 → s0, no. 2",
      "High, h1 → s0, no. 2",
    ]);
  });

  it("keep colour and dash of their class", () => {
    const svg = drawn("connection");
    expect(svg.match(/stroke="#m0" stroke-width="1"/g)).toHaveLength(5);
    expect(svg.match(/stroke="#m2"[^>]*stroke-dasharray="2 2"/g)).toHaveLength(4);
    expect(drawn("class", "pausedLinks")).toContain('stroke="#000" stroke-width="1"');
  });

  it("are summed up at the right end by class", () => {
    const svg = drawn("connection");
    expect(svg).toContain(">mean of 5<");
    expect(svg).toContain(">0.500<");
  });
});

describe("reading", () => {
  it("names the connection pointed at first, then the largest, then how many more", () => {
    const chart = model("connection");
    // The axis ends at 1: the connection at 0.3 lies at three tenths of the height.
    const y = plot.bottom - 0.3 * (plot.bottom - plot.top);
    const pointed = chart.nearest?.(plot, 5, y) ?? null;
    expect(pointed).toBe(2);
    const { rows } = chart.readout(5, pointed);
    expect(rows[0]).toMatchObject({ name: "High, h2 → s0", values: ["0.300"] });
    expect(rows[1]?.name).toBe("High, h8 → s0");
    expect(rows.at(-1)?.name).toBe("and 1 more");
  });

  it("leaves out what does not apply", () => {
    expect(model("class").sentence(5)).toBe("Marked share at 0.060 ms: High 0.250.");
    expect(
      model("class")
        .readout(5, null)
        .rows.map((row) => row.values[0]),
    ).toEqual(["0.250", "–"]);
  });
});
