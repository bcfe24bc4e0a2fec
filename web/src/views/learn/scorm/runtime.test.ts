import * as scorm12 from "scorm-again/scorm12";
import * as scorm2004 from "scorm-again/scorm2004";
import { describe, expect, it } from "vitest";
import { VERSIONS, type Version } from "./manifest.ts";
import { clockDuration, duration, findApi, type Interaction, Lms, type LmsState } from "./runtime.ts";

/** The package names its classes otherwise than its types do. */
const { Scorm12API } = scorm12 as unknown as { readonly Scorm12API: typeof scorm12.default };
const { Scorm2004API } = scorm2004 as unknown as { readonly Scorm2004API: typeof scorm2004.default };

/** The run-time of an LMS without a server, as it begins a visit with what was kept of the one before. */
function runtimeOf(version: Version, kept: object = {}) {
  const api = version === "1.2" ? new Scorm12API({ logLevel: 5 }) : new Scorm2004API({ logLevel: 5 });
  api.loadFromJSON(kept as never);
  return api;
}

type Runtime = ReturnType<typeof runtimeOf>;

/** Windows around one another, the innermost first; each but the last may have the run-time of an LMS. */
function windows(...objects: readonly object[]): Window {
  const around = [...objects].reverse().reduce<object | null>((parent, object) => {
    const window: Record<string, unknown> = { ...object };
    window.parent = parent ?? window;
    return window;
  }, null);
  return around as unknown as Window;
}

const holding = (version: Version, api: unknown) => ({ [version === "1.2" ? "API" : "API_1484_11"]: api });

/** A visit to an LMS, with what the person was told. */
function visit(api: Runtime, version: Version, now?: () => number) {
  const told: LmsState[] = [];
  const lms = new Lms(findApi(windows({}, holding(version, api)), version), (state) => told.push(state), now);
  return { lms, told };
}

/** A value that the LMS holds, also one that the page may only write. */
function held(api: Runtime, path: string): unknown {
  const json = api.renderCMIToJSONObject() as unknown as Record<string, unknown>;
  return path.split(".").reduce<unknown>((at, name) => (at as Record<string, unknown>)?.[name], json.cmi);
}

const choice: Interaction = {
  id: "small-2",
  kind: "choice",
  description: "Which?",
  response: ["1"],
  correct: ["2"],
  right: false,
  latencyS: 83.456,
  at: new Date("2026-11-24T10:00:00.5Z"),
};

const report = { step: 3, points: 1, of: 4, progress: 0.5, done: false };

describe("the LMS", () => {
  it("is found around the page, around the window that opened it, or not at all", () => {
    const api = runtimeOf("1.2");
    expect(findApi(windows({}, {}, {}, holding("1.2", api)), null)?.version).toBe("1.2");
    const opener = windows({}, holding("2004", runtimeOf("2004")));
    expect(findApi(windows({ opener }), "2004")?.version).toBe("2004");
    expect(findApi(windows({ opener }), "1.2")).toBeNull();
    expect(findApi(windows({}, {}), null)).toBeNull();
    expect(findApi(windows({}, holding("1.2", api), holding("2004", runtimeOf("2004"))), null)?.version).toBe(
      "2004",
    );
  });

  it("may stand behind windows of another site", () => {
    const foreign = new Proxy({} as Record<string, unknown>, {
      get(target, name) {
        if (name === "parent") return target.parent;
        throw new DOMException("cross-origin", "SecurityError");
      },
      set: (target, name, value) => Reflect.set(target, name, value),
    });
    foreign.parent = windows(holding("1.2", runtimeOf("1.2")));
    expect(findApi(Object.assign(windows({}), { parent: foreign }), "1.2")?.version).toBe("1.2");
  });

  it("that is absent is said to be, and nothing else goes wrong", () => {
    const told: LmsState[] = [];
    const lms = new Lms(null, (state) => told.push(state));
    lms.interaction(choice);
    lms.keep(["{}"]);
    lms.report(report);
    lms.end();
    expect(told).toEqual([{ phase: "absent", sentence: expect.stringContaining("No LMS answers") }]);
    expect([lms.name, lms.kept, lms.bookmark]).toEqual(["", null, null]);
  });
});

describe.each(VERSIONS)("a visit, SCORM %s", (version) => {
  const is2004 = version === "2004";

  it("brings score, place, progress and answers", () => {
    const api = runtimeOf(version);
    const { lms, told } = visit(api, version);
    lms.interaction(choice);
    lms.interaction({ ...choice, id: "small-3", kind: "numeric", response: ["96"], correct: ["88.4"] });
    lms.interaction({
      ...choice,
      id: "small-4",
      kind: "fill-in",
      response: ["1", "2.5", "3"],
      correct: ["1", "2", "4"],
      right: true,
    });
    lms.interaction({
      ...choice,
      id: "small-5",
      kind: "other",
      response: ["solved"],
      correct: null,
      right: true,
    });
    lms.interaction({ ...choice, id: "small-6", response: null, correct: null, right: null });
    lms.report(report);
    expect(told.at(-1)).toEqual({ phase: "ready", sentence: "Reported to the LMS." });
    expect(held(api, is2004 ? "score.raw" : "core.score.raw")).toBe("25");
    expect(held(api, is2004 ? "location" : "core.lesson_location")).toBe("3");
    expect(held(api, is2004 ? "completion_status" : "core.lesson_status")).toBe("incomplete");
    if (is2004) {
      expect(held(api, "score.scaled")).toBe("0.25");
      expect(held(api, "success_status")).toBe("unknown");
      expect(held(api, "progress_measure")).toBe("0.5");
    }
    const response = is2004 ? "learner_response" : "student_response";
    expect(held(api, "interactions.0")).toMatchObject({
      id: "small-2",
      type: "choice",
      [response]: "1",
      result: is2004 ? "incorrect" : "wrong",
      latency: is2004 ? "PT83.46S" : expect.stringMatching(/^(00)?00:01:23\.46$/),
      correct_responses: { 0: { pattern: "2" } },
    });
    expect(held(api, "interactions.1")).toMatchObject({
      type: "numeric",
      [response]: "96",
      correct_responses: { 0: { pattern: is2004 ? "88.4[:]88.4" : "88.4" } },
    });
    expect(held(api, "interactions.2")).toMatchObject({
      type: "fill-in",
      [response]: is2004 ? "1[,]2.5[,]3" : "1,2.5,3",
      correct_responses: { 0: { pattern: is2004 ? "1[,]2[,]4" : "1,2,4" } },
      result: "correct",
    });
    expect(held(api, "interactions.3")).toMatchObject({ type: is2004 ? "other" : "performance" });
    expect(held(api, "interactions.4")).toMatchObject({ id: "small-6", result: "neutral", [response]: "" });
  });

  it("tells an answer in its place again once it is judged", () => {
    const api = runtimeOf(version);
    const { lms } = visit(api, version);
    lms.interaction({ ...choice, correct: null, right: null });
    lms.interaction(choice);
    expect(api.cmi.interactions.childArray).toHaveLength(1);
    expect(held(api, "interactions.0.result")).toBe(is2004 ? "incorrect" : "wrong");
  });

  it("goes on where the one before ended", () => {
    const first = runtimeOf(version);
    const before = visit(first, version);
    before.lms.keep(['{"small":{"step":3}}']);
    before.lms.interaction(choice);
    before.lms.report(report);
    const kept = structuredClone(first.renderCMIToJSONObject()) as unknown as { cmi: object };
    before.lms.end();
    expect(before.told.at(-1)?.phase).toBe("ended");
    const api = runtimeOf(version, kept.cmi);
    const { lms } = visit(api, version);
    expect(lms.bookmark).toBe(3);
    expect(lms.kept).toBe('{"small":{"step":3}}');
    lms.interaction({ ...choice, id: "small-3" });
    expect(api.cmi.interactions.childArray).toHaveLength(2);
    expect(held(api, "interactions.1.id")).toBe("small-3");
  });

  it("says how long it was, and whether the learner comes back", () => {
    let now = Date.now();
    for (const done of [false, true]) {
      const api = runtimeOf(version);
      const set: [string, string][] = [];
      const object = is2004 ? "SetValue" : "LMSSetValue";
      const original = (api as unknown as Record<string, (...args: string[]) => string>)[object];
      (api as unknown as Record<string, unknown>)[object] = (element: string, value: string) => {
        set.push([element, value]);
        return original?.(element, value);
      };
      const { lms } = visit(api, version, () => now);
      lms.report({ ...report, done });
      now = Date.now() + 61_500;
      lms.end();
      const values = Object.fromEntries(set);
      const exit = values[is2004 ? "cmi.exit" : "cmi.core.exit"];
      expect(exit).toBe(done ? (is2004 ? "normal" : "") : "suspend");
      const time = values[is2004 ? "cmi.session_time" : "cmi.core.session_time"];
      expect(time).toMatch(is2004 ? /^PT61\.[45]\d?S$/ : /^0000:01:01\.[45]\d$/);
    }
  });

  it("passes or fails by the LMS's mark, and is completed where it has none", () => {
    const marks = is2004 ? { scaled_passing_score: "0.5" } : { student_data: { mastery_score: "50" } };
    const status = (kept: object, points: number) => {
      const api = runtimeOf(version, kept);
      visit(api, version).lms.report({ ...report, points, done: true });
      return is2004 ? held(api, "success_status") : held(api, "core.lesson_status");
    };
    expect(status(marks, 2)).toBe("passed");
    expect(status(marks, 1)).toBe("failed");
    expect(status({}, 1)).toBe(is2004 ? "unknown" : "completed");
  });

  it("keeps the longest of what fits, and says so where nothing does", () => {
    const api = runtimeOf(version);
    const { lms, told } = visit(api, version);
    // Letters without order do not pack.
    const long = (size: number) => Array.from({ length: size }, (_, at) => (at * 7919 * at) % 9973).join(" ");
    lms.keep([long(60_000), long(200), "{}"]);
    expect(lms.kept).toBe(long(200));
    lms.keep([long(60_000)]);
    lms.report(report);
    expect(lms.kept).toBe(long(200));
    expect(told.at(-1)?.sentence).toContain("no room for your answers");
  });

  it("says what the LMS refuses, and goes on", () => {
    const api = runtimeOf(version);
    const { lms, told } = visit(api, version);
    lms.interaction({ ...choice, id: "" });
    lms.report(report);
    expect(told.at(-1)).toMatchObject({
      phase: "refused",
      sentence: expect.stringContaining("cmi.interactions"),
    });
    lms.report(report);
    expect(told.at(-1)?.phase).toBe("ready");
    Object.assign(api, { [is2004 ? "Commit" : "LMSCommit"]: () => "false" });
    lms.report(report);
    expect(told.at(-1)).toMatchObject({
      phase: "refused",
      sentence: expect.stringContaining("The lesson goes on."),
    });
  });
});

describe("lengths of time", () => {
  it("are written as each version reads them", () => {
    expect([0, 59.999, 3723.456, 1e9].map(clockDuration)).toEqual([
      "0000:00:00.00",
      "0000:01:00.00",
      "0001:02:03.46",
      "9999:46:40.00",
    ]);
    expect([0, 12.345].map(duration)).toEqual(["PT0S", "PT12.35S"]);
  });
});
