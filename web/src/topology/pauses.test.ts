import { describe, expect, it } from "vitest";
import { SvgSurface } from "../charts/drawing/surface.ts";
import type { Theme } from "../charts/drawing/theme.ts";
import { paused, pausedLinks, queued, utilisation } from "../run/links.ts";
import { testRun } from "../run/testRun.ts";
import type { RunView } from "../run/types.ts";
import { drawPauses } from "./drawPauses.ts";
import { pauseSentence } from "./fabricSentence.ts";
import { linkTable } from "./fabricTable.ts";
import { layoutFabric } from "./layout.ts";
import { dumbbell } from "./testGraphs.ts";

const graph = dumbbell(2, 1);

/** A run whose links are idle but for some that are held for a share of the time. */
function held(shares: Readonly<Record<number, number>>): RunView {
  const run = testRun(graph);
  const links = new Float32Array(3 * graph.links.length);
  links.set([0.5, 7], 0);
  for (const [link, share] of Object.entries(shares)) links[3 * Number(link) + 2] = share;
  run.update({ links });
  return run;
}

const drawn = (run: RunView) => {
  const surface = new SvgSurface({ font: "", symbolFont: "" });
  const theme = { ink: "#111", bg: "#fff" } as Theme;
  drawPauses(surface, theme, run, layoutFabric(graph, "dumbbell", 700, 280));
  return surface.document(700, 280, "#fff", "t", "d");
};

describe("paused links", () => {
  it("are read from the third number of each link", () => {
    const run = held({ 0: 0.25 });
    expect([utilisation(run, 0), queued(run, 0), paused(run, 0)]).toEqual([0.5, 7, 0.25]);
    expect(paused(run, 1)).toBe(0);
    expect(pausedLinks(held({ 1: 0.5, 4: 1 }))).toEqual([1, 4]);
  });

  it("are striped, each with an arrow, and nothing is drawn where none is held", () => {
    expect(drawn(held({}))).not.toContain("stroke-dasharray");
    const two = drawn(held({ 0: 0.1, 3: 0.9 }));
    expect(two.match(/stroke-dasharray/g)).toHaveLength(2);
    expect(two.match(/fill="#111"/g)).toHaveLength(2);
  });

  it("point to the sender that waits", () => {
    // From the trunk, the left switch sends to the right one: the tip lies next to the left switch.
    const trunk = graph.links.findIndex(
      ({ from, to }) => graph.nodes[from]?.name === "left" && graph.nodes[to]?.name === "right",
    );
    const layout = layoutFabric(graph, "dumbbell", 700, 280);
    const left = layout.nodes[graph.links[trunk]?.from ?? -1];
    const tip = /<path d="M([\d.]+) [\d.]+L[^"]*z" fill="#111"/.exec(drawn(held({ [trunk]: 1 })));
    expect(Number(tip?.[1])).toBeCloseTo((left?.x ?? 0) + (left?.width ?? 0) / 2 + 2, 1);
  });

  it("are named in words, the most held first", () => {
    expect(pauseSentence(held({}))).toBe("");
    const run = held({ 0: 0.1, 2: 0.9 });
    const [first, second] = [2, 0].map((link) => {
      const { from = -1, to = -1 } = graph.links[link] ?? {};
      return `${graph.nodes[from]?.name} to ${graph.nodes[to]?.name}`;
    });
    expect(pauseSentence(run)).toBe(
      `2 links are paused: ${first} for 90\u202f% of the time, ${second} for 10\u202f% of the time.`,
    );
  });

  it("have a column of their own where switches may pause", () => {
    expect(linkTable(held({})).headers).not.toContain("sender paused");
    const { headers, rows } = linkTable(held({ 0: 0.25 }), true);
    expect(rows[0]?.cells[headers.indexOf("sender paused")]).toBe("25\u202f%");
  });
});
