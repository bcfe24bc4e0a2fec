import { describe, expect, it } from "vitest";
import { SvgSurface } from "../charts/drawing/surface.ts";
import type { Theme } from "../charts/drawing/theme.ts";
import { deadlockedLinks } from "../run/links.ts";
import { testRun } from "../run/testRun.ts";
import type { RunView } from "../run/types.ts";
import { deadlockSentence } from "./deadlock.ts";
import { drawPauses } from "./drawPauses.ts";
import { fabricSentence } from "./fabricSentence.ts";
import { linkTable } from "./fabricTable.ts";
import { layoutFabric } from "./layout.ts";
import { ring } from "./testGraphs.ts";

const graph = ring(4);
const link = (from: string, to: string) =>
  graph.links.findIndex((item) => graph.nodes[item.from]?.name === from && graph.nodes[item.to]?.name === to);
const cycle = [link("s0", "s1"), link("s1", "s2"), link("s2", "s3"), link("s3", "s0")];
const locked = [...cycle, link("h0", "s0")];

/** A run in which links are deadlocked; a link of the hub is paused, too. */
function run(): RunView {
  const recorder = testRun(graph);
  const links = new Float32Array(3 * graph.links.length);
  for (const number of locked) links[3 * number + 2] = 1;
  links[3 * link("hub", "s2") + 2] = 1;
  recorder.update({ links, deadlock: { seenUs: 2050, links: locked } });
  return recorder;
}

describe("a deadlock", () => {
  it("is said with its links, the hosts behind them apart", () => {
    expect(deadlockSentence(run())).toBe(
      "PFC deadlock seen at 2.050 ms: 4 links are deadlocked (s0 to s1, s1 to s2, s2 to s3 and 1 more). 1 host waits behind them.",
    );
    expect(fabricSentence(run())).toContain("PFC deadlock");
  });

  it("is not spoken of before there is one", () => {
    expect(deadlockedLinks(testRun(graph))).toEqual([]);
    expect(deadlockSentence(testRun(graph))).toBe("");
  });

  it("is noted at its links in the table", () => {
    const notes = linkTable(run(), true).rows.map(({ cells }) => cells.at(-1));
    const withNote = (wanted: string) => notes.flatMap((note, index) => (note === wanted ? [index] : []));
    expect(withNote("deadlocked")).toEqual(cycle.toSorted((a, b) => a - b));
    expect(withNote("waits behind the deadlock")).toEqual([link("h0", "s0")]);
  });

  it("is drawn in the hue of what has failed, what waits behind it and other pauses in ink", () => {
    const surface = new SvgSurface({ font: "", symbolFont: "" });
    const theme = { ink: "#111", bg: "#fff", danger: "#c00" } as Theme;
    drawPauses(surface, theme, run(), layoutFabric(graph, "custom", 700, 280));
    const drawn = surface.document(700, 280, "#fff", "t", "d");
    expect(drawn.match(/fill="#c00"/g)).toHaveLength(cycle.length);
    expect(drawn.match(/fill="#111"/g)).toHaveLength(2);
  });
});
