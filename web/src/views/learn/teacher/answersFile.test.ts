import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Judgement } from "../../../workbench/lesson/lesson.ts";
import { QR_LIMIT } from "../../../workbench/QrCode.tsx";
import {
  ANSWERS_LIMIT,
  type Answers,
  answersFragment,
  answersOf,
  fileNameOf,
  readAnswers,
  readAnswersLink,
} from "./answersFile.ts";

const judgement: Judgement = {
  right: false,
  distance: "7.6 Gb/s above what happened",
  happened: { kind: "number", value: 88.4, text: "88.4 Gb/s" },
  feedback: "One might think so.",
};

/** When and after how long each was locked in. */
const locked = { at: "2026-11-24T09:58:00.000Z", seconds: 23.4 };

const answers: Answers = answersOf(
  { title: "Marks and windows" },
  {
    id: "marks-and-windows",
    hash: "0011aabb",
    step: 5,
    done: [0, 1, 2, 3],
    answers: {
      1: {
        answer: { kind: "choice", option: 2 },
        judgement: { ...judgement, happened: { kind: "choice", option: 1, text: "falls" } },
        ...locked,
      },
      2: { answer: { kind: "number", value: 96 }, judgement, ...locked },
      3: { answer: { kind: "curve", values: [1, 2, 3.5] }, judgement: null, ...locked },
      4: { answer: { kind: "unknown" }, judgement: null, ...locked },
    },
    challenges: { 5: { solved: true, hints: 1, shown: false } },
    seed: "Ada Ångström",
  },
  " Ada Ångström ",
  new Date("2026-11-24T10:00:00Z"),
);
const text = JSON.stringify(answers);

/** The answers with one value replaced, by its path. */
function damaged(path: readonly (string | number)[], value: unknown): string {
  const copy = structuredClone(answers) as unknown as Record<string | number, unknown>;
  const [last = "", ...before] = [...path].reverse();
  let at = copy;
  for (const name of before.reverse()) at = at[name] as Record<string | number, unknown>;
  at[last] = value;
  return JSON.stringify(copy);
}

describe("answers", () => {
  it("come back from a file and from a link as they were", () => {
    expect(readAnswers(text)).toEqual({ answers });
    expect(readAnswersLink(`https://qoscope.example/${answersFragment(answers)}`)).toEqual({ answers });
    expect(answers.student).toBe("Ada Ångström");
  });

  it("survive what mail programs and chats do to a link", () => {
    const link = `https://qoscope.example/${answersFragment(answers)}`;
    for (const passedOn of [
      `${link}&fbclid=x`,
      `${link} and so on`,
      `${link.slice(0, 90)}=\r\n${link.slice(90)}`,
    ])
      expect(readAnswersLink(passedOn)).toEqual({ answers });
  });

  it("of a lesson with a question a minute fit into a QR code", () => {
    expect(`https://qoscope.example/teaching/${answersFragment(answers)}`.length).toBeLessThan(QR_LIMIT / 2);
  });

  it("are saved under the lesson and the student", () => {
    expect(fileNameOf(answers)).toBe("marks-and-windows-ada-ångström-answers.json");
    expect(fileNameOf({ ...answers, student: "" })).toBe("marks-and-windows-answers.json");
    expect(fileNameOf({ ...answers, student: "../../etc" })).toBe("marks-and-windows-etc-answers.json");
  });
});

describe("what should be answers and is not", () => {
  it.each([
    ["cut", text.slice(0, -20), /no JSON, or its end is missing/],
    ["a scenario", '{"version": 14, "name": "x"}', /no answers/],
    ["a list", "[]", /no answers/],
    ["of a newer format", damaged(["version"], 2), /format 2.*Reload/],
    ["too long", " ".repeat(ANSWERS_LIMIT + 1), /too long/],
  ])("is refused with a sentence where it is %s", (_, wrong, sentence) => {
    expect(readAnswers(wrong)).toEqual({ faults: [expect.stringMatching(sentence)] });
  });

  it.each([
    [["version"], "1", "version"],
    [["lesson"], undefined, "lesson"],
    [["lesson", "hash"], 7, "lesson.hash"],
    [["student"], "x".repeat(81), "student"],
    [["seed"], 7, "seed"],
    [["saved"], "yesterday", "saved"],
    [["done"], [0, -1], "done"],
    [["answers"], [], "answers"],
    [["answers", "x"], {}, "answers"],
    [["answers", 1, "answer", "kind"], "essay", "answers[1].answer.kind"],
    [["answers", 1, "answer", "option"], 0.5, "answers[1].answer.option"],
    [["answers", 2, "answer", "value"], "96", "answers[2].answer.value"],
    [["answers", 2, "judgement", "right"], "no", "answers[2].judgement.right"],
    [["answers", 2, "judgement", "happened"], null, "answers[2].judgement.happened.kind"],
    [["answers", 2, "judgement", "happened", "value"], "88", "answers[2].judgement.happened.value"],
    [["answers", 2, "judgement", "happened", "kind"], "toString", "answers[2].judgement.happened.kind"],
    [["answers", 3, "answer", "values"], ["1"], "answers[3].answer.values"],
    [["answers", 3, "at"], "", "answers[3].at"],
    [["answers", 4, "seconds"], null, "answers[4].seconds"],
    [["challenges", 5, "hints"], -1, "challenges[5].hints"],
  ])("names the place %s", (path, value, place) => {
    const read = readAnswers(damaged(path, value));
    expect(read).toEqual({ faults: [expect.stringContaining(`${place}`)] });
  });

  it("names every fault at once", () => {
    const read = readAnswers('{"qoscope": "answers", "version": 1}');
    expect("faults" in read && read.faults.map((fault) => fault.split(":")[0])).toEqual([
      "lesson",
      "student",
      "seed",
      "saved",
      "done",
      "answers",
      "challenges",
    ]);
  });

  it("never opens from a damaged link as other answers", () => {
    const link = answersFragment(answers);
    fc.assert(
      fc.property(fc.nat(link.length - 1), fc.constantFrom(..."aZ0-_.%& #"), (at, letter) => {
        const read = readAnswersLink(link.slice(0, at) + letter + link.slice(at + 1));
        if ("answers" in read) expect(read.answers).toEqual(answers);
        else expect(read.faults[0]).toMatch(/\.$/);
      }),
      { numRuns: 500 },
    );
  });

  it("is told from links to something else", () => {
    for (const link of ["", "https://qoscope.example/", "https://qoscope.example/#learn=2"])
      expect(readAnswersLink(link)).toEqual({ faults: [expect.stringContaining("#answers=")] });
  });
});
