import { describe, expect, it } from "vitest";
import {
  aboveText,
  drawScatter,
  markAt,
  markPlace,
  scatterAxis,
  scatterFrame,
} from "../../charts/study/scatter.ts";
import { plainNumber } from "../../charts/study/studyText.ts";
import { firstScenario } from "../../scenario/first.ts";
import {
  candidatesPicture,
  marginText,
  preferenceName,
  preferred,
  settingDifferences,
  standingCounts,
  tradeOffPicture,
  withPoint,
} from "./answer.ts";
import {
  cell,
  foundAnswer,
  point,
  searchStandings,
  searchStudy,
  searchTable,
  THRESHOLD,
  TRANSPORT,
} from "./testStudy.ts";

const [latency] = searchStudy.ask.kind === "search" ? searchStudy.ask.targets : [];
if (!latency) throw new Error("the search has targets");

describe("an answer as a difference of settings", () => {
  it("says what is now, what it becomes, and the model's first guess", () => {
    const rows = settingDifferences(searchTable, 1, foundAnswer.firstGuess, foundAnswer.margins);
    expect(rows.map(({ now, value, guess, isChanged }) => ({ now, value, guess, isChanged }))).toEqual([
      { now: "140 packets", value: "22 packets", guess: "40 packets", isChanged: true },
      { now: "3", value: "3", guess: "3", isChanged: false },
    ]);
    expect(rows[0]?.margin && marginText(rows[0].factor, rows[0].margin)).toBe("22 to 61 packets");
  });

  it("sets a field of every class where its path stands for all of them", () => {
    const next = withPoint(firstScenario, { set: { [THRESHOLD.path]: 22, [TRANSPORT.path]: "dctcp" } });
    expect(next.switch?.ecnThresholdPackets).toBe(22);
    expect(next.classes.map(({ transport }) => transport)).toEqual(firstScenario.classes.map(() => "dctcp"));
  });

  it("counts what is thought of the points", () => {
    const refused = { ...point([9, 9], []), refused: "K must be at least 10." };
    const table = { ...searchTable, points: [...searchTable.points, refused] };
    expect(standingCounts(table, searchStandings)).toEqual({
      open: 1,
      misses: 3,
      beaten: 1,
      leading: 1,
      refused: 1,
    });
  });

  it("reads what is preferred of any point: a setting, or a measure by its mean", () => {
    expect(preferred(searchTable, { of: THRESHOLD.path, wanted: "min" }, 2)).toBe(40);
    expect(preferred(searchTable, { of: "p99 latency, High", wanted: "min" }, 2)).toBe(274);
    expect(preferred(searchTable, { of: "Drops", wanted: "min" }, 2)).toBeNull();
    expect(preferenceName(searchTable, { of: THRESHOLD.path, wanted: "min" })).toEqual({
      title: "ECN threshold",
      unit: "packets",
    });
  });
});

describe("the field of candidates", () => {
  const picture = candidatesPicture(searchStudy, searchTable, searchStandings, 0, latency, {
    found: 1,
    word: "answer",
    guess: 2,
  });

  const farOf = (means: readonly number[]) => {
    const [worst] = searchTable.points;
    const points = worst ? means.map((mean) => ({ ...worst, cells: [cell(1), cell(mean)] })) : [];
    const named = { found: null, word: "answer", guess: null };
    return candidatesPicture(searchStudy, { ...searchTable, points }, [], 0, latency, named);
  };

  it("stands over the whole range of a setting, and twice the bound", () => {
    expect(picture.x).toMatchObject({ from: 5, to: 400, scale: "log" });
    expect(picture.y).toMatchObject({ from: 0, to: 600 });
    expect(aboveText(picture)).toBeNull();
  });

  it("has room for what misses the bound by far, and marks stand at their values", () => {
    const far = farOf(Array.from({ length: 14 }, (_, at) => 1300 + at));
    expect(far.y.to).toBe(1312);
    const plot = scatterFrame(400, 200, far);
    expect(plot.y.scale(1300)).toBeGreaterThan(plot.top);
    expect(plot.y.scale(300)).toBeGreaterThan(plot.y.scale(1300));
  });

  it("says how many marks are beyond the axis, and up to which value", () => {
    const far = farOf([200, 210, 220, 230, 240, 250, 260, 270, 280, 290, 90_000]);
    expect(far.y.to).toBe(600);
    expect(aboveText(far)).toBe(`1 above, up to ${plainNumber(90_000)}`);
  });

  it("names the answer, the guess, the present value and the bound", () => {
    expect(picture.marks.flatMap(({ label }) => label ?? [])).toEqual(["answer", "model’s guess"]);
    expect(picture.marks.map(({ look }) => look)).toEqual(searchStandings);
    expect(picture.upright).toEqual([{ value: 140, label: "now 140" }]);
    expect(picture.level).toEqual([{ value: 300, label: "at most 300" }]);
  });

  it("finds the mark under a pointer, and none far from all", () => {
    const plot = scatterFrame(400, 200, picture);
    const [first] = picture.marks;
    expect(first && markAt(plot, picture, markPlace(plot, first).x + 3, markPlace(plot, first).y - 3)).toBe(
      0,
    );
    expect(markAt(plot, picture, plot.left, plot.top)).toBeNull();
  });

  it("is drawn with a mark for every point that was tried", () => {
    let circles = 0;
    const paths = ["begin", "moveTo", "lineTo", "rect", "ellipse", "closePath", "stroke", "fill", "text"];
    const surface = Object.fromEntries(paths.map((name) => [name, () => {}]));
    drawScatter(
      { ...surface, circle: () => circles++ } as unknown as Parameters<typeof drawScatter>[0],
      {} as Parameters<typeof drawScatter>[1],
      400,
      200,
      picture,
    );
    // Those that miss are crosses.
    expect(circles).toBe(searchStandings.filter((standing) => standing !== "misses").length);
  });
});

describe("axes of a scatter", () => {
  it("have round values at ratios or at distances, and words in their places", () => {
    const labels = (axis: Parameters<typeof scatterAxis>[0]) =>
      scatterAxis(axis, [0, 400], 8)
        .ticks.filter(({ label }) => label !== "")
        .map(({ label }) => label);
    expect(labels({ from: 5, to: 400, scale: "log", words: null })).toEqual([
      "5",
      "10",
      "20",
      "50",
      "100",
      "200",
    ]);
    expect(labels({ from: 0.02, to: 0.2, scale: "log", words: null })).toEqual([
      "0.02",
      "0.05",
      "0.1",
      "0.2",
    ]);
    expect(labels({ from: 0, to: 1, scale: "even", words: ["QTCP", "DCTCP"] })).toEqual(["QTCP", "DCTCP"]);
  });
});

describe("a trade-off", () => {
  it("is a curve from left to right with the point that is looked at", () => {
    const picture = tradeOffPicture(
      searchTable,
      [
        { of: THRESHOLD.path, wanted: "min" },
        { of: "Total throughput", wanted: "max" },
      ],
      { tradeOff: [2, 1, 5], point: 3 },
      1,
    );
    expect(picture.marks.map(({ point: at, look, label }) => [at, look, label])).toEqual([
      [2, "open", undefined],
      [1, "leading", undefined],
      [5, "open", undefined],
      [3, "open", "answer"],
    ]);
    expect(picture.curve?.map(({ x, y }) => [x, y])).toEqual([
      [22, 92],
      [30, 93],
      [40, 95],
    ]);
    expect(picture.unit).toBe("packets");
  });
});
