import { sealed, unsealed } from "../../../scenario/codec.ts";
import type { Version } from "./manifest.ts";

/**
 * What an LMS offers the page: the functions of SCORM 1.2 (Run-Time Environment, section 3.2) or of SCORM 2004 (Run-Time
 * Environment, section 3.2), in the notation of the latter. All of them answer at once, with texts.
 */
interface Api {
  readonly version: Version;
  initialize(): boolean;
  get(element: string): string;
  set(element: string, value: string): boolean;
  commit(): boolean;
  terminate(): boolean;
  /** What went wrong last, in words; empty where nothing did. */
  error(): string;
}

type Functions = Readonly<Record<string, ((...args: string[]) => unknown) | undefined>>;

/** How each version calls what the page needs, and the object that has it. */
const NAMES = {
  "1.2": { object: "API", prefix: "LMS", initialize: "Initialize", terminate: "Finish" },
  "2004": { object: "API_1484_11", prefix: "", initialize: "Initialize", terminate: "Terminate" },
} as const;

/** Windows around one another that are looked at: LMSs nest few. */
const MAX_FRAMES = 32;

/** A window and those around it, then those of the window that opened it. Another site's cannot be looked into. */
function* windowsFrom(start: Window): Generator<Window> {
  for (const from of [start, start.opener as Window | null]) {
    let at: Window | null = from;
    for (let frames = 0; at && frames < MAX_FRAMES; frames++) {
      yield at;
      at = at.parent === at ? null : at.parent;
    }
  }
}

/** The functions of an object that may be there, of a window that may be another site's. */
function objectOf(window: Window, name: string): Functions | null {
  try {
    const object = (window as unknown as Readonly<Record<string, Functions | undefined>>)[name];
    return object ?? null;
  } catch {
    return null;
  }
}

/** Finds what the LMS offers: of the version that the package is of, or of any where it does not say. */
export function findApi(start: Window, wanted: Version | null): Api | null {
  const versions: readonly Version[] = wanted ? [wanted] : ["2004", "1.2"];
  for (const version of versions) {
    for (const window of windowsFrom(start)) {
      const functions = objectOf(window, NAMES[version].object);
      if (functions) return apiOf(version, functions);
    }
  }
  return null;
}

function apiOf(version: Version, functions: Functions): Api {
  const { prefix, initialize, terminate } = NAMES[version];
  const call = (name: string, ...args: string[]): string => {
    try {
      return String(functions[`${prefix}${name}`]?.(...args) ?? "");
    } catch {
      return "";
    }
  };
  const done = (answer: string) => answer === "true";
  return {
    version,
    initialize: () => done(call(initialize, "")),
    get: (element) => call("GetValue", element),
    set: (element, value) => done(call("SetValue", element, value)),
    commit: () => done(call("Commit", "")),
    terminate: () => done(call(terminate, "")),
    error() {
      const code = call("GetLastError");
      return code === "" || code === "0" ? "" : call("GetErrorString", code) || `error ${code}`;
    },
  };
}

/** What a question was answered with, for an LMS. */
export interface Interaction {
  /** Names it in the LMS: the lesson and the step. */
  readonly id: string;
  readonly kind: "choice" | "numeric" | "fill-in" | "other";
  readonly description: string;
  /** The place of the option from 1, the number, or the numbers of a curve; null for "I don't know". */
  readonly response: readonly string[] | null;
  /** What is right, likewise; null where no run has told yet. */
  readonly correct: readonly string[] | null;
  /** Null where nobody can say: not judged, or "I don't know". */
  readonly right: boolean | null;
  readonly latencyS: number;
  readonly at: Date;
}

/** What an LMS is told of a lesson. */
export interface Report {
  /** The step that is shown, from 0. */
  readonly step: number;
  readonly points: number;
  readonly of: number;
  /** Share of the steps that are done, 0 to 1. */
  readonly progress: number;
  readonly done: boolean;
}

/** How each version calls its elements, and what it holds of each (data model of the Run-Time Environments). */
const ELEMENTS = {
  "1.2": {
    name: "cmi.core.student_name",
    location: "cmi.core.lesson_location",
    score: "cmi.core.score",
    exit: "cmi.core.exit",
    sessionTime: "cmi.core.session_time",
    passing: "cmi.student_data.mastery_score",
    response: "student_response",
    wrong: "wrong",
    suspendLimit: 4096,
  },
  "2004": {
    name: "cmi.learner_name",
    location: "cmi.location",
    score: "cmi.score",
    exit: "cmi.exit",
    sessionTime: "cmi.session_time",
    passing: "cmi.scaled_passing_score",
    response: "learner_response",
    wrong: "incorrect",
    suspendLimit: 64_000,
  },
} as const;

/** Longest description and response that an LMS must take. */
const TEXT_LIMIT = 250;

/** What is kept with the LMS from one visit to the next unpacks to no more. */
const KEPT_LIMIT = 500_000;

/** What the person is told of the LMS. */
export interface LmsState {
  /** `absent`: no LMS answers. `refused`: it does not take what it is told. */
  readonly phase: "absent" | "ready" | "refused" | "ended";
  readonly sentence: string;
}

const ABSENT = "No LMS answers: nothing is reported. The lesson goes on.";

/** A visit to an LMS, from when the page has found it. */
export class Lms {
  private readonly began = Date.now();
  /** Places of interactions in the LMS's list, by their ids. */
  private readonly places = new Map<string, number>();
  private nextPlace = 0;
  private isDone = false;
  private unfit = false;
  private state: LmsState;

  constructor(
    private readonly api: Api | null,
    private readonly tell: (state: LmsState) => void = () => {},
    private readonly now: () => number = Date.now,
  ) {
    this.state = { phase: "absent", sentence: ABSENT };
    if (api?.initialize()) {
      this.nextPlace = Number(api.get("cmi.interactions._count")) || 0;
      this.put({ phase: "ready", sentence: "Reports to the LMS." });
    } else if (api) this.put({ phase: "refused", sentence: this.complaint() });
    else this.put(this.state);
  }

  get version(): Version | null {
    return this.api?.version ?? null;
  }

  /** The learner's name as the LMS has it: “Family, Given”. */
  get name(): string {
    return this.answers ? this.answers.get(this.elements.name).trim() : "";
  }

  /** The step that was shown last, from 0; null on the first visit. */
  get bookmark(): number | null {
    const text = this.answers?.get(this.elements.location) ?? "";
    return /^\d{1,3}$/.test(text) ? Number(text) : null;
  }

  /** What was kept at the visit before; null where nothing was, or it is damaged. */
  get kept(): string | null {
    const text = this.answers?.get("cmi.suspend_data") ?? "";
    if (text === "") return null;
    const opened = unsealed(text, KEPT_LIMIT);
    return opened.kind === "text" ? opened.text : null;
  }

  /**
   * Keeps a text with the LMS for the next visit, the first of several that fits what an LMS must take. Where none does, what was kept
   * before stays, and the person is told.
   */
  keep(texts: readonly string[]): void {
    if (!this.answers) return;
    const fitting = texts.map(sealed).find((text) => text.length <= this.elements.suspendLimit);
    this.unfit = fitting === undefined;
    if (fitting !== undefined) this.set("cmi.suspend_data", fitting);
  }

  /** Tells how an answer was given; again where it has been judged since. */
  interaction({ id, kind, description, response, correct, right, latencyS, at }: Interaction): void {
    const api = this.answers;
    if (!api) return;
    const is2004 = api.version === "2004";
    const place = this.places.get(id) ?? this.nextPlace++;
    this.places.set(id, place);
    const element = (name: string) => `cmi.interactions.${place}.${name}`;
    const write = (texts: readonly string[]) => texts.join(is2004 ? "[,]" : ",").slice(0, TEXT_LIMIT);
    this.set(element("id"), id);
    // 1.2 has no `other`.
    this.set(element("type"), kind === "other" && !is2004 ? "performance" : kind);
    this.set(element(is2004 ? "timestamp" : "time"), is2004 ? timestamp(at) : clockTime(at));
    if (is2004) this.set(element("description"), description.slice(0, TEXT_LIMIT));
    // 2004 has ranges of numbers, whose ends may be the same.
    const isRange = kind === "numeric" && is2004;
    if (correct !== null)
      this.set(
        element("correct_responses.0.pattern"),
        isRange ? `${correct[0]}[:]${correct[0]}` : write(correct),
      );
    if (response !== null) this.set(element(this.elements.response), write(response));
    this.set(element("result"), right === null ? "neutral" : right ? "correct" : this.elements.wrong);
    this.set(element("latency"), is2004 ? duration(latencyS) : clockDuration(latencyS));
  }

  /** Tells how far the learner is, and has the LMS keep it. */
  report({ step, points, of, progress, done }: Report): void {
    const api = this.answers;
    if (!api) return;
    this.isDone = done;
    const { score, location, passing } = this.elements;
    const share = of > 0 ? points / of : 1;
    this.set(location, String(step));
    this.set(`${score}.min`, "0");
    this.set(`${score}.max`, "100");
    this.set(`${score}.raw`, String(Math.round(100 * share)));
    const asked = Number.parseFloat(api.get(passing));
    const passed = Number.isFinite(asked)
      ? Math.round(100 * share) >= (api.version === "2004" ? 100 : 1) * asked
      : null;
    if (api.version === "2004") {
      this.set(`${score}.scaled`, String(Number(share.toFixed(4))));
      this.set("cmi.progress_measure", String(Number(progress.toFixed(4))));
      this.set("cmi.completion_status", done ? "completed" : "incomplete");
      this.set("cmi.success_status", !done || passed === null ? "unknown" : passed ? "passed" : "failed");
    } else {
      const ended = passed === null ? "completed" : passed ? "passed" : "failed";
      this.set("cmi.core.lesson_status", done ? ended : "incomplete");
    }
    this.commit();
  }

  /** Ends the visit: the LMS then knows how long it was, and whether the learner comes back to where she was. */
  end(): void {
    const api = this.answers;
    if (!api) return;
    const seconds = (this.now() - this.began) / 1000;
    const { sessionTime, exit } = this.elements;
    this.set(sessionTime, api.version === "2004" ? duration(seconds) : clockDuration(seconds));
    this.set(exit, this.isDone ? (api.version === "2004" ? "normal" : "") : "suspend");
    api.commit();
    api.terminate();
    this.put({ phase: "ended", sentence: "The visit to the LMS has ended." });
  }

  /** The LMS, as long as it answers. */
  private get answers(): Api | null {
    return this.state.phase === "ready" || this.state.phase === "refused" ? this.api : null;
  }

  private get elements() {
    return ELEMENTS[this.api?.version ?? "1.2"];
  }

  /** Sets a value. What an LMS refuses is said once it is asked to keep all. */
  private set(element: string, value: string): void {
    if (!this.api?.set(element, value)) this.refused ??= `${element}${this.reason()}`;
  }
  private refused: string | null = null;

  private commit(): void {
    const kept = this.api?.commit() ?? false;
    if (!kept) this.put({ phase: "refused", sentence: this.complaint() });
    else if (this.refused !== null)
      this.put({ phase: "refused", sentence: `The LMS refuses ${this.refused}. The lesson goes on.` });
    else if (this.unfit)
      this.put({
        phase: "ready",
        sentence: "Reported to the LMS. It has no room for your answers: finish the lesson in one visit.",
      });
    else this.put({ phase: "ready", sentence: "Reported to the LMS." });
    this.refused = null;
  }

  private complaint(): string {
    return `The LMS did not keep what it was told${this.reason()}. The lesson goes on.`;
  }

  /** What the LMS says went wrong, in brackets. */
  private reason(): string {
    const said = this.api?.error() ?? "";
    return said ? ` (${said.replace(/\.$/, "")})` : "";
  }

  private put(state: LmsState): void {
    this.state = state;
    this.tell(state);
  }
}

const two = (value: number): string => String(Math.floor(value)).padStart(2, "0");

/** A time of day, HH:MM:SS. */
const clockTime = (at: Date): string => [at.getHours(), at.getMinutes(), at.getSeconds()].map(two).join(":");

/** A length of time as SCORM 1.2 has it, HHHH:MM:SS.SS, of at most 9999 hours. */
export function clockDuration(seconds: number): string {
  const hundredths = Math.round(100 * Math.max(0, seconds));
  const hours = Math.min(9999, Math.floor(hundredths / 360_000));
  const rest = hundredths % 360_000;
  return `${String(hours).padStart(4, "0")}:${two(rest / 6000)}:${two((rest % 6000) / 100)}.${two(rest % 100)}`;
}

/** A length of time as SCORM 2004 has it: ISO 8601, PT12.34S. */
export const duration = (seconds: number): string => `PT${Math.max(0, Math.round(100 * seconds) / 100)}S`;

/** An instant as SCORM 2004 has it: ISO 8601, with a time zone only behind a fraction, of two digits at most. */
const timestamp = (at: Date): string => at.toISOString().replace(/\dZ$/, "Z");
