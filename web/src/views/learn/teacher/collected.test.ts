import { describe, expect, it } from "vitest";
import type { Answer, Judgement, Lesson } from "../../../workbench/lesson/lesson.ts";
import { keyOf, noProgress } from "../../../workbench/lesson/progress.ts";
import { type Answers, answersFragment, answersOf } from "./answersFile.ts";
import {
  answersTo,
  challengeAt,
  csvOf,
  distributionAt,
  type HandedIn,
  NOTHING,
  studentTitle,
  takeIn,
} from "./collected.ts";

const lesson = {
  version: 1,
  id: "small",
  title: "Small",
  outcome: "",
  minutes: 1,
  runs: [],
  steps: [
    { kind: "read", title: "Read", text: "" },
    {
      kind: "predict",
      title: "Which",
      text: "",
      explain: "",
      question: {
        kind: "choice",
        prompt: "Which, then?",
        options: [{ text: "a" }, { text: "b", right: true }],
      },
    },
    {
      kind: "predict",
      title: "How much",
      text: "",
      explain: "",
      question: {
        kind: "number",
        prompt: "How much?",
        unit: "Gb/s",
        value: "1",
        scale: { min: 0, max: 100 },
      },
    },
    { kind: "challenge", title: "Do", text: "", controls: [], goals: [], solution: {} },
  ],
} as unknown as Lesson;

const judgement = (right: boolean, value: number | null = null): Judgement => ({
  right,
  distance: null,
  happened:
    value === null ? { kind: "choice", option: 1, text: "b" } : { kind: "number", value, text: `${value}` },
  feedback: null,
});

/** What a student hands in: her option, and her number where she gave one. */
function answersBy(student: string, option: number, value: number | null, minute = 0): Answers {
  const at = "2026-11-24T09:58:00.000Z";
  const said = (answer: Answer, judged: Judgement) => ({ answer, judgement: judged, at, seconds: 20 });
  return answersOf(
    lesson,
    {
      ...noProgress(keyOf(lesson)),
      answers: {
        1: said({ kind: "choice", option }, judgement(option === 1)),
        2: said(
          value === null ? { kind: "unknown" } : { kind: "number", value },
          judgement(value === 88, 88),
        ),
      },
      challenges: { 3: { solved: option === 1, hints: 2, shown: false } },
    },
    student,
    new Date(Date.UTC(2026, 10, 24, 10, minute)),
  );
}

const file = (answers: Answers): HandedIn => ({
  name: `${answers.student}.json`,
  text: JSON.stringify(answers),
  kind: "file",
});

describe("what a class hands in", () => {
  it("is taken from files and links alike, and what is damaged beside them is named", () => {
    const link = `https://qoscope.example/${answersFragment(answersBy("Bo", 1, 88))}`;
    const all = takeIn(NOTHING, [
      file(answersBy("Ada", 0, 96)),
      { name: "notes.json", text: "{}", kind: "file" },
      { name: "Link 1", text: link, kind: "link" },
      { name: "Link 2", text: link.slice(0, -9), kind: "link" },
    ]);
    expect(all.answers.map(({ student }) => student)).toEqual(["Ada", "Bo"]);
    expect(all.refused.map(({ name }) => name)).toEqual(["notes.json", "Link 2"]);
    expect(all.refused.every(({ faults }) => faults.length > 0)).toBe(true);
  });

  it("counts the latest of a student, however her name is written, and says so", () => {
    const [early, late] = [answersBy("Ada Lovelace", 0, 96), answersBy("ada  lovelace ", 1, 88, 5)];
    for (const order of [
      [early, late],
      [late, early],
    ]) {
      const all = takeIn(NOTHING, order.map(file));
      expect(all.answers).toEqual([late]);
      expect(all.replaced).toEqual([{ kept: late, left: early }]);
    }
    expect(takeIn(NOTHING, [file(early), file(early)])).toMatchObject({
      answers: [early],
      replaced: [{ kept: early, left: early }],
    });
  });

  it("tells students without a name apart", () => {
    const unnamed = (place: number) => ({ ...file(answersBy("", place, 1, place)), name: `${place}.json` });
    const all = takeIn(NOTHING, [unnamed(0), unnamed(1)]);
    expect(all.answers).toHaveLength(2);
  });

  it("does not mix answers to another version of the lesson, or ones that it cannot have", () => {
    const [ada, bo] = [answersBy("Ada", 0, 96), answersBy("Bo", 7, 88)];
    const cy = { ...answersBy("Cy", 1, 88), lesson: { ...ada.lesson, hash: "00000000" } };
    const { same, other } = answersTo(lesson, keyOf(lesson), takeIn(NOTHING, [ada, bo, cy].map(file)));
    expect(same.map(({ student }) => student)).toEqual(["Ada"]);
    expect(other.map(({ student }) => student)).toEqual(["Bo", "Cy"]);
  });
});

describe("the predictions of a class", () => {
  const all = [
    answersBy("Ada", 0, 96),
    answersBy("Bo", 1, 88),
    answersBy("Cy", 1, null),
    { ...answersBy("Di", 0, 50), answers: {} },
  ];

  it("are counted per option, with the right ones and those who do not know", () => {
    expect(distributionAt(lesson, 1, all)).toMatchObject({
      answered: 3,
      unknown: 0,
      right: 2,
      unjudged: 0,
      options: [1, 2],
    });
    expect(distributionAt(lesson, 2, all)).toMatchObject({
      answered: 3,
      unknown: 1,
      right: 1,
      given: [[96], [88]],
      happened: [[88], [88], [88]],
    });
    expect(distributionAt(lesson, 0, all)).toBeNull();
    expect(challengeAt(3, all)).toEqual({ tried: 4, solved: 2, shown: 0, hints: 8 });
  });

  it("that no run has judged are counted as such", () => {
    const hidden = {
      ...answersBy("Ed", 1, 3),
      answers: {
        1: {
          answer: { kind: "choice", option: 1 },
          judgement: null,
          at: "2026-11-24T09:58:00.000Z",
          seconds: 5,
        },
      },
    } as const;
    expect(distributionAt(lesson, 1, [...all, hidden])).toMatchObject({
      right: 2,
      unjudged: 1,
      options: [1, 3],
    });
  });
});

describe("the table of a class", () => {
  const all = [answersBy("Ada, the first", 0, 96), answersBy("=1+1", 1, null)];
  const table = (of: readonly Answers[], named: boolean) =>
    csvOf(lesson, of, (one) => studentTitle(one, of, named), named);

  it("has a row for each student and scored step, names hidden or not", () => {
    const rows = table(all, true).trimEnd().split("\r\n");
    expect(rows).toHaveLength(1 + 2 * 3);
    expect(rows[0]).toBe("student,seed,saved,step,question,answer,happened,right,score,of");
    expect(rows[1]).toBe('"Ada, the first",,2026-11-24T10:00:00.000Z,2,"Which, then?",1,2,no,0,3');
    expect(rows[5]).toBe("'=1+1,,2026-11-24T10:00:00.000Z,3,How much?,I don't know,88,no,2,3");
    expect(rows[6]).toBe("'=1+1,,2026-11-24T10:00:00.000Z,4,Do,2 hints,,yes,2,3");
    expect(table(all, false)).not.toContain("Ada");
    expect(table(all, false)).toMatch(/^Student 2,,/m);
  });

  it("does not tell a name by the seed that comes of it", () => {
    const named = [{ ...answersBy("Ada", 0, 96), seed: "Ada" }];
    expect(table(named, false)).not.toContain("Ada");
    expect(table(named, true)).toContain("Ada,Ada,");
  });
});
