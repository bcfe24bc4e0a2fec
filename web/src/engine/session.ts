import { createStore } from "zustand/vanilla";
import type { RunEvent } from "../run/events.ts";
import type { Journey } from "../run/journey.ts";
import { createRunView, type RunRecorder } from "../run/recorder.ts";
import type { RunView } from "../run/types.ts";
import { annotatedAs, sameButAnnotations } from "../scenario/annotations.ts";
import type { LinkedView } from "../scenario/codec.ts";
import { type Explanation, explanationOf, NOTHING_SAID } from "../scenario/explanation.ts";
import { firstScenario } from "../scenario/first.ts";
import type { History } from "../scenario/history.ts";
import { type Lock, locks, locksStep } from "../scenario/lock.ts";
import { getPath } from "../scenario/path.ts";
import { withValue } from "../scenario/reshape.ts";
import { fieldAt } from "../scenario/schema.ts";
import { originOf, type ScenarioStore, type Step, scenarioOf, stepOf } from "../scenario/store.ts";
import { changesUntil, effectiveScenario, sameButTimeline } from "../scenario/timeline.ts";
import type { Diagnostic, Scenario } from "../scenario/types.ts";
import { afterPaint } from "./afterPaint.ts";
import { EngineClient } from "./client.ts";
import { GestureWatch } from "./gestureWatch.ts";
import { checkSource, type Refusal, type Source, type Verdict } from "./opening.ts";
import type { FieldChange, Frame, Phase, Reply, Speed, Trapped, Wish } from "./protocol.ts";
import { usualSpeed } from "./speed.ts";

/** What the page shows of the run; changes with every frame. */
export interface RunState {
  /** A scenario that the engine may run is on the page. */
  readonly begun: boolean;
  readonly generation: number;
  readonly phase: Phase | "loading" | "stopped";
  /** The recording that the charts draw; null before the first run. */
  readonly view: RunView | null;
  /** What the engine said last of the parameters in force. */
  readonly explanation: Explanation;
  /** What the engine warns of in the scenario of this run. */
  readonly warnings: readonly Diagnostic[];
  /** The recording before a restart, until the new one has passed it; that of the old future, as long as the run is forked. */
  readonly ghost: RunView | null;
  /** The run went back and was changed there: it has left its old future. */
  readonly fork: Fork | null;
  readonly nowUs: number;
  /** The event that a step went past or back to last. */
  readonly event: RunEvent | null;
  readonly durationUs: number;
  readonly speed: Speed;
  readonly paced: boolean;
  readonly hopsPerSecond: number;
  /** How long the run will compute on, in words; null where that is soon or not known. */
  readonly forecast: string | null;
  readonly digest: string | null;
  /** Recorded changes that have taken effect. */
  readonly changesInForce: number;
  /** Changes sent to the engine and not answered yet, by path. */
  readonly pending: Readonly<Record<string, unknown>>;
  /** Counts up about ten times a second while figures change: the pace of tables. */
  readonly tick: number;
  /** What the engine refused last; the run before goes on. */
  readonly diagnostics: readonly Diagnostic[];
  /** A link or a file that was not opened, until somebody has read why. */
  readonly refusal: Refusal | null;
  readonly trapped: StoppedRun | null;
  /** The engine has stopped answering. */
  readonly silent: boolean;
  /** The page was in the background and paused the run. */
  readonly pausedInBackground: boolean;
  /** Names of the traces that the scenario replays and the page does not have: it runs once they are chosen. */
  readonly missingTraces: readonly string[];
  /** A file that may be a trace, until somebody has decided about it. */
  readonly offeredTrace: OfferedTrace | null;
}

/** A request that was followed; null where none is issued before the end of the run. */
export type Followed = Journey | null | "superseded";

/** Where a run left its old future. */
export interface Fork {
  readonly atUs: number;
  /** The scenario before the change that did it. */
  readonly before: Scenario;
}

/** A file that may be a trace, and the workload that it is for; none where somebody dropped it on the page. */
export interface OfferedTrace {
  readonly file: File;
  readonly workload: number | null;
}

/** An engine that is gone, and where its run stood. */
export type StoppedRun = Trapped & { readonly nowUs: number };

const START: RunState = {
  begun: false,
  generation: 0,
  phase: "loading",
  view: null,
  explanation: NOTHING_SAID,
  warnings: [],
  ghost: null,
  fork: null,
  nowUs: 0,
  event: null,
  durationUs: 1,
  speed: 500,
  paced: true,
  hopsPerSecond: Number.NaN,
  forecast: null,
  digest: null,
  changesInForce: 0,
  pending: {},
  tick: 0,
  diagnostics: [],
  refusal: null,
  trapped: null,
  silent: false,
  pausedInBackground: false,
  missingTraces: [],
  offeredTrace: null,
};

const TICK_MS = 100;
/** Half of the engine's grain of time, one picosecond. */
const GRAIN_US = 5e-7;

/** What became of opening a scenario; `superseded` where another was opened meanwhile. */
export type Opening = "opened" | "refused" | "superseded";

/**
 * Shows the view as a link says, once the scenario in it is on the page. Returns where the run is to wait, in microseconds; null
 * where the link does not say.
 */
export type ShowView = (view: LinkedView) => number | null;

/** Values that a person is still choosing. */
interface Gesture {
  readonly changes: Map<string, unknown>;
  /** The run that it began on, if that was under way; 0 where it was not. */
  readonly under: number;
}

interface LoadOptions {
  readonly playing: boolean;
  readonly fromUs?: number;
}

interface SessionOptions {
  readonly reducedMotion: boolean;
  /** Whether a scenario runs as soon as it is there; it does unless told otherwise. */
  readonly autoplay?: boolean;
  /** What of the scenario the person may not change. */
  readonly lock?: Lock | null;
}

/** Ties the scenario to the run: decides what a change does to it and keeps both in step. */
export class Session {
  readonly run = createStore<RunState>()(() => START);
  private readonly client: EngineClient;
  private recorder: RunRecorder | null = null;
  /** The history whose present the engine accepted last. */
  private accepted: History<Step>;
  /** Live changes that the worker has not answered yet, by action. */
  private readonly sent: (readonly FieldChange[])[] = [];
  /**
   * Changes for the instant that a run which was just loaded is going to: those that an engine left unanswered when it fell
   * silent, and those that were made on the way.
   */
  private unanswered: readonly FieldChange[] = [];
  /** Steps of undo and redo that wait for the changes before them to be in the history. */
  private readonly travels: (() => void)[] = [];
  /** Who waits for a summary of the run that is on the page. */
  private readonly asking: ((json: string | null) => void)[] = [];
  /** Who waits for the request that is followed. */
  private awaiting: ((followed: Followed) => void) | null = null;
  /** Histories whose annotations the worker has not answered for yet. */
  private readonly annotating: History<Step>[] = [];
  /** What a person is choosing and has not let go of. */
  private gesture: Gesture | null = null;
  private readonly gestureWatch = new GestureWatch(() => this.endGesture());
  private openings = 0;
  private lastTickMs = 0;
  private wantedGeneration = 0;
  /** Where a run that was just loaded is going, until it is there. */
  private seekTarget: Required<LoadOptions> | null = null;
  /** The run that was loaded to go back, and still has its old future before it. */
  private wentBack = 0;

  constructor(
    readonly store: ScenarioStore,
    private readonly options: SessionOptions,
    createClient: (onReply: (reply: Reply) => void) => EngineClient = (onReply) => new EngineClient(onReply),
    private readonly check: (source: Source) => Promise<Verdict> = checkSource,
  ) {
    this.accepted = store.getState().history;
    this.client = createClient((reply) => this.take(reply));
  }

  /** What of the scenario the person may not change; null where that is nothing. */
  get lock(): Lock | null {
    return this.options.lock ?? null;
  }

  /** The person may not change the scenario as a whole. */
  get locked(): boolean {
    return this.lock?.all ?? false;
  }

  get scenario(): Scenario {
    return scenarioOf(this.store.getState());
  }

  /** Opens what an address holds: a link, or the first scenario. */
  async openFragment(fragment: string, showView?: ShowView): Promise<Opening> {
    if (!/^#?$/.test(fragment)) return this.open({ kind: "link", fragment }, showView);
    this.begin(firstScenario, () => showView?.({ kind: "none" }) ?? null);
    return "opened";
  }

  /**
   * Opens a scenario from outside once the engine has accepted it; until then, and where it is refused, the run on the page
   * goes on as it was. Of several openings the latest counts.
   */
  async open(source: Source, showView?: ShowView): Promise<Opening> {
    const opening = ++this.openings;
    const verdict = await this.check(source);
    if (opening !== this.openings) return "superseded";
    if (verdict.kind === "refused") {
      this.run.setState({ refusal: verdict.refusal });
      return "refused";
    }
    this.begin(verdict.scenario, () => showView?.(verdict.view ?? { kind: "none" }) ?? null);
    return "opened";
  }

  /**
   * Puts a scenario that the engine accepts on the page and runs it; with reduced motion it is shown at its end. `show` shows
   * it, and tells where the run is to wait instead.
   */
  begin(scenario: Scenario, show?: () => number | null): void {
    this.openings++;
    const { begun } = this.run.getState();
    this.run.setState({ begun: true });
    if (!begun) this.store.getState().start(scenario);
    else if (scenario !== this.scenario) this.store.getState().open(scenario);
    this.arrive(show?.() ?? null);
  }

  /** Puts a scenario that the engine accepts in the place of all there was, and brings it to an instant, where it waits. */
  beginAt(scenario: Scenario, us: number): void {
    this.store.getState().start(scenario);
    this.run.setState({ begun: true });
    this.load({ playing: false, fromUs: us });
  }

  /** Ends the engine and all that goes on. */
  end(): void {
    this.gestureWatch.cancel();
    this.client.end();
  }

  /** Goes back or ahead to what was opened before, as it was left. Returns whether the page still knows it. */
  revisit(visit: string): boolean {
    let known = false;
    this.travel(() => {
      known = this.store.getState().revisit(visit);
    });
    return known;
  }

  /** Runs a scenario that has just come to the page, or goes to where it is to wait. */
  private arrive(atUs: number | null): void {
    const { durationUs } = this.scenario;
    this.run.setState({
      speed: usualSpeed(durationUs),
      fork: null,
      diagnostics: [],
      refusal: null,
      pausedInBackground: false,
    });
    // Nothing of the run before is gone back to.
    this.client.release();
    const { reducedMotion, autoplay = true } = this.options;
    if (atUs !== null && atUs < durationUs) this.load({ playing: false, fromUs: atUs });
    else this.load(reducedMotion ? { playing: false, fromUs: durationUs } : { playing: autoplay });
  }

  play = (): void => {
    const { phase, silent } = this.run.getState();
    if (silent) this.resume();
    else if (phase === "ended" || phase === "stopped") this.restart();
    else this.send("play");
    this.run.setState({ pausedInBackground: false });
  };

  pause = (): void => this.send("pause");

  toggle = (): void => {
    const { phase, silent } = this.run.getState();
    if (phase === "running" && !silent) this.pause();
    else this.play();
  };

  /** Runs the same scenario again from the start. */
  restart = (): void => this.load({ playing: true });

  /**
   * Brings a run whose engine is gone back to where it stood, by running the same scenario again up to there. What was
   * changed while the engine was silent takes effect then.
   */
  resume = (): void => {
    const { trapped, silent } = this.run.getState();
    const { us, phase } = this.position();
    this.endGesture();
    const unanswered = silent ? [...this.unanswered, ...this.sent.flat()] : [];
    this.load({ playing: phase !== "paused" && phase !== "ended", fromUs: trapped?.nowUs ?? us });
    this.unanswered = unanswered;
  };

  step = (us: number): void => {
    this.client.send({ kind: "step", generation: this.run.getState().generation, us });
  };

  /** Goes to just after the next event. */
  stepEvent = (): void =>
    this.client.send({ kind: "event", generation: this.run.getState().generation, go: "on" });

  /** Goes back to just after the event before the last. */
  stepEventBack = (): void =>
    this.client.send({ kind: "event", generation: this.run.getState().generation, go: "back" });

  /** Goes back by a stretch of time; several steps add up, also while the first is on its way. */
  stepBack = (us: number): void => this.seek(Math.max(0, this.position().us - us));

  /** Goes to an instant: ahead by running there, back from the nearest state that the engine has kept. */
  seek = (us: number): void => {
    const { nowUs, phase, generation } = this.run.getState();
    const isGoing = this.seekTarget !== null;
    if (!isGoing && us > nowUs && phase !== "ended")
      this.client.send({ kind: "step", generation, us: us - nowUs });
    else if (isGoing || us < nowUs) {
      this.load({ playing: false, fromUs: us });
      this.wentBack = this.wantedGeneration;
    }
  };

  /** Stays with the run that has left its old future, which is shown no longer. */
  dismissFork = (): void => this.run.setState({ fork: null, ghost: null });

  setSpeed = (speed: Speed): void => {
    this.run.setState({ speed });
    this.client.send({ kind: "speed", generation: this.run.getState().generation, speed });
  };

  /** Pauses because nobody looks; says so on return. */
  background = (): void => {
    if (this.run.getState().phase !== "running") return;
    this.pause();
    this.run.setState({ pausedInBackground: true });
  };

  /**
   * Changes fields, all of them or none. Values of a gesture (a drag, a burst of keys) show in the controls while simulated
   * time is held, and act once, when the gesture is over: a gesture is one action, and no value that was only passed
   * through needs a place in the timeline. `choosing` says that a value is one of a gesture.
   */
  change(changes: readonly FieldChange[], choosing = false): void {
    const { lock } = this;
    if (lock) {
      const held = changes.find(({ path }) => locks(lock, path));
      if (held) {
        this.refuse(held.path);
        return;
      }
    }
    const goesOn = choosing && changes.every(({ path }) => this.gesture?.changes.has(path));
    if (!goesOn) this.endGesture();
    if (!choosing) {
      this.act(changes);
      return;
    }
    if (!this.gesture) {
      const under = this.isUnderWay() ? this.wantedGeneration : 0;
      this.gesture = { changes: new Map(), under };
      this.hold(true);
    }
    for (const { path, value } of changes) this.gesture.changes.set(path, value);
    this.showPending(changes);
    this.gestureWatch.extend();
  }

  /**
   * Changes a field for the page around this one, which no lock holds back. What cannot be a value of a document, and a place that
   * no document has, are passed over; the rest is for the engine to judge.
   */
  changeFromHost(path: string, value: unknown): void {
    if (!isField(path, this.shown()) || !isJson(value)) return;
    this.endGesture();
    this.act([{ path, value }]);
  }

  private endGesture(): void {
    if (!this.gesture) return;
    const { changes, under } = this.gesture;
    this.gestureWatch.cancel();
    this.gesture = null;
    this.dropPending([...changes.keys()]);
    const before = this.shown();
    const fieldChanges = [...changes].map(([path, value]) => ({ path, value }));
    // A run that came to its end before the hold reached it was still meant: the worker says that it is too late.
    const underWay = under === this.wantedGeneration || this.isUnderWay();
    if (fieldChanges.some(({ path, value }) => getPath(before, path) !== value)) {
      this.act(fieldChanges, underWay);
    }
    this.hold(false);
  }

  /**
   * Live fields of a run under way change at its present instant and are recorded in the timeline; anything else edits the
   * scenario and runs it again.
   */
  private act(changes: readonly FieldChange[], underWay = this.isUnderWay()): void {
    const scenario = this.shown();
    const live = changes.every(({ path }) => fieldAt(path, scenario).live);
    if (live && underWay) this.changeLive(changes);
    else {
      const origin = originOf(this.store.getState());
      this.replace(
        changes.reduce((result, { path, value }) => withValue(result, path, value, origin), this.scenario),
      );
    }
  }

  private isUnderWay(): boolean {
    const { phase, us } = this.position();
    return (phase === "running" || phase === "paused") && us > 0;
  }

  /** Puts another scenario in place of this one and runs it; a run on which nothing of that depends goes on as it is. */
  edit(next: Scenario): void {
    if (this.lock && locksStep(this.lock, this.scenario, next)) this.refuse();
    else this.replace(next);
  }

  /** Says that something was not done because it is locked. */
  private refuse(path = ""): void {
    const [reason, hint] = ["is locked by the page that shows this", ""];
    this.run.setState({ diagnostics: [{ path, reason, hint, severity: "error" }] });
  }

  private replace(next: Scenario): void {
    if (next === this.scenario) return;
    const isAnnotation = sameButAnnotations(this.scenario, next);
    this.store.getState().edit(next);
    if (isAnnotation) {
      this.annotate();
      return;
    }
    this.run.setState({ diagnostics: [], fork: null });
    const { phase } = this.position();
    if (phase !== "stopped") this.load({ playing: phase !== "paused" });
  }

  /** Has the engine take over what the scenario tells its readers: it judges that, and the run goes on. */
  private annotate(): void {
    const { phase, generation } = this.run.getState();
    this.run.setState({ diagnostics: [] });
    if (phase === "stopped") return;
    if (generation === this.wantedGeneration) {
      this.annotating.push(this.store.getState().history);
      this.client.send({ kind: "annotate", generation, scenario: JSON.stringify(this.scenario) });
      return;
    }
    // The run that is being laid out knows nothing of it: another goes to the same instant.
    const { us, phase: wanted } = this.position();
    const { unanswered } = this;
    this.load({ playing: wanted === "running", fromUs: us });
    this.unanswered = unanswered;
  }

  private annotated({ generation, hash }: Reply & { kind: "annotated" }): void {
    if (generation !== this.wantedGeneration) return;
    this.accepted = this.annotating.shift() ?? this.accepted;
    this.recorder?.update({ hash });
  }

  /** What the engine does not take is undone, unless something later was sent, which it judges as a whole. */
  private refusedAnnotation(diagnostics: readonly Diagnostic[]): void {
    this.annotating.shift();
    if (this.annotating.length > 0) return;
    const { scenario: good } = this.accepted.present;
    if (sameButAnnotations(good, this.scenario)) this.store.getState().restore(this.accepted);
    else this.store.getState().edit(annotatedAs(this.scenario, good));
    this.run.setState({ diagnostics });
  }

  /** Edits and runs at once, also after the engine stopped. */
  runEdited(next: Scenario): void {
    if (this.lock && locksStep(this.lock, this.scenario, next)) {
      this.refuse();
      return;
    }
    this.store.getState().edit(next);
    this.run.setState({ fork: null });
    this.restart();
  }

  /** Makes the changes of something to try from the start on, as edits of the scenario, whatever the run does. */
  runTried(changes: readonly FieldChange[]): void {
    const origin = originOf(this.store.getState());
    this.runEdited(
      changes.reduce((result, { path, value }) => withValue(result, path, value, origin), this.scenario),
    );
  }

  undo = (): void => this.travel(() => this.store.getState().undo());

  redo = (): void => this.travel(() => this.store.getState().redo());

  /** The scenario as it is in force now, changes on their way included. */
  shown(): Scenario {
    const { changesInForce, pending } = this.run.getState();
    return effectiveScenario(this.scenario, changesInForce, pending);
  }

  private travel(move: () => void): void {
    if (this.locked) return;
    this.endGesture();
    if (this.isUnsettled()) this.travels.push(move);
    else this.travelNow(move);
  }

  /** Whether changes are on their way to an engine that can still answer them. */
  private isUnsettled(): boolean {
    const answers = this.run.getState().phase !== "stopped";
    return answers && (this.sent.length > 0 || this.unanswered.length > 0);
  }

  private travelOn(): void {
    if (this.isUnsettled()) return;
    for (const move of this.travels.splice(0)) this.travelNow(move);
  }

  private travelNow(move: () => void): void {
    const before = stepOf(this.store.getState());
    move();
    const after = stepOf(this.store.getState());
    if (before === after) return;
    if (before.visit !== after.visit) {
      this.arrive(null);
      return;
    }
    const { us, phase } = this.position();
    const { fork } = this.run.getState();
    const isForked = fork !== null && this.isPast(fork.before);
    this.run.setState({ diagnostics: [], fork: isForked ? fork : null });
    if (sameButAnnotations(before.scenario, after.scenario)) this.annotate();
    else if (sameButTimeline(before.scenario, after.scenario))
      this.load({ playing: phase === "running", fromUs: us });
    else this.load({ playing: phase !== "paused" });
  }

  /** Whether a scenario is one that the present one came from. */
  private isPast(scenario: Scenario): boolean {
    return this.store.getState().history.past.some((step) => step.scenario === scenario);
  }

  /** Where the run stands, or is about to stand when it has just been loaded. */
  private position(): { readonly us: number; readonly phase: RunState["phase"] } {
    const { nowUs, phase, durationUs } = this.run.getState();
    if (!this.seekTarget || phase === "stopped") return { us: nowUs, phase };
    const { fromUs, playing } = this.seekTarget;
    return { us: fromUs, phase: fromUs >= durationUs ? "ended" : playing ? "running" : "paused" };
  }

  private changeLive(changes: readonly FieldChange[]): void {
    this.showPending(changes);
    if (this.seekTarget) {
      this.unanswered = [...this.unanswered, ...changes];
      return;
    }
    this.sent.push(changes);
    this.client.send({ kind: "change", generation: this.run.getState().generation, changes });
  }

  private sendUnanswered(): void {
    if (this.unanswered.length === 0) return;
    const latest = new Map(this.unanswered.map(({ path, value }) => [path, value]));
    this.unanswered = [];
    this.changeLive([...latest].map(([path, value]) => ({ path, value })));
  }

  private showPending(changes: readonly FieldChange[]): void {
    const chosen = Object.fromEntries(changes.map(({ path, value }) => [path, value]));
    this.run.setState(({ pending }) => ({ pending: { ...pending, ...chosen }, diagnostics: [] }));
  }

  private dropPending(paths: readonly string[]): void {
    const kept = Object.entries(this.run.getState().pending).filter(([path]) => !paths.includes(path));
    this.run.setState({ pending: Object.fromEntries(kept) });
  }

  /** What is still on its way when all else is settled: what an engine left unanswered, and the values of the gesture. */
  private chosen = (): Record<string, unknown> => ({
    ...Object.fromEntries(this.unanswered.map(({ path, value }) => [path, value])),
    ...Object.fromEntries(this.gesture?.changes ?? []),
  });

  private hold(on: boolean): void {
    this.client.send({ kind: "hold", generation: this.run.getState().generation, on });
  }

  private send(kind: "play" | "pause"): void {
    this.client.send({ kind, generation: this.run.getState().generation });
  }

  /** What the engine sums up of the run so far, as JSON; null where that run ends before it has answered. */
  summary(): Promise<string | null> {
    const { phase, generation } = this.run.getState();
    if (phase === "stopped" || phase === "loading") return Promise.resolve(null);
    this.client.send({ kind: "summary", generation });
    return new Promise((resolve) => this.asking.push(resolve));
  }

  /**
   * Follows a request that is issued from where the run stands; the run stays as it is. Of several wishes the latest counts:
   * the others are superseded, as all are by another run.
   */
  follow(wish: Wish): Promise<Followed> {
    const { phase, generation } = this.run.getState();
    this.awaiting?.("superseded");
    if (phase === "stopped" || phase === "loading") return Promise.resolve("superseded");
    this.client.send({ kind: "follow", generation, wish });
    return new Promise((resolve) => {
      this.awaiting = resolve;
    });
  }

  private foundJourney(followed: Followed): void {
    this.awaiting?.(followed);
    this.awaiting = null;
  }

  private answer(json: string | null): void {
    for (const resolve of this.asking.splice(0)) resolve(json);
  }

  /** The traces that have been read, as they were kept. */
  get traces(): ReadonlyMap<string, Uint8Array<ArrayBuffer>> {
    return this.client.traces;
  }

  /** Keeps a trace that was read for the workloads that name it, and runs the scenario if it waited for that. */
  addTrace(name: string, bytes: Uint8Array<ArrayBuffer>): void {
    this.client.addTrace(name, bytes);
    if (tracesOf(this.scenario).includes(name)) this.load({ playing: true });
  }

  private load({ playing, fromUs = 0 }: LoadOptions): void {
    const missingTraces = tracesOf(this.scenario).filter((name) => !this.client.hasTrace(name));
    this.run.setState({ missingTraces });
    if (missingTraces.length > 0) {
      if (this.recorder) this.pause();
      else this.run.setState({ phase: "stopped" });
      return;
    }
    const { speed, trapped } = this.run.getState();
    this.wantedGeneration++;
    this.seekTarget = { playing, fromUs };
    this.sent.length = 0;
    this.annotating.length = 0;
    this.unanswered = [];
    this.travels.length = 0;
    if (trapped) this.run.setState({ trapped: null });
    if (!this.recorder || trapped) this.run.setState({ phase: "loading" });
    this.client.load({
      kind: "load",
      generation: this.wantedGeneration,
      scenario: JSON.stringify(this.scenario),
      playing,
      speed,
      fromUs,
      framePeriodMs: this.options.reducedMotion ? 250 : 1000 / 60,
    });
    this.requestModel();
  }

  private requestModel(): void {
    const scenario = JSON.stringify(this.scenario);
    this.client.send({ kind: "model", generation: this.wantedGeneration, scenario });
  }

  private take(reply: Reply): void {
    switch (reply.kind) {
      case "loaded":
        this.loaded(reply);
        break;
      case "frame":
        this.frame(reply);
        break;
      case "changed":
        this.changed(reply);
        break;
      case "annotated":
        this.annotated(reply);
        break;
      case "diagnostics":
        this.refused(reply);
        break;
      case "explained":
        if (reply.generation === this.run.getState().generation) {
          this.run.setState({ explanation: explanationOf(reply.explanation) });
          this.recorder?.update({ detours: reply.detours });
        }
        break;
      case "model":
        if (reply.generation === this.run.getState().generation)
          this.recorder?.update({ model: reply.overlay });
        break;
      case "summary":
        if (reply.generation === this.run.getState().generation) this.answer(reply.json);
        break;
      case "journey":
        if (reply.generation === this.run.getState().generation) this.foundJourney(reply.journey);
        break;
      case "event":
        if (reply.generation !== this.run.getState().generation) break;
        if (reply.go === "back") this.seek(reply.event?.us ?? 0);
        this.run.setState({ event: reply.event });
        break;
      case "trapped":
        this.trapped(reply);
        break;
      case "silence":
        this.run.setState({ silent: reply.silent });
        break;
    }
  }

  private loaded({ generation, layout, explanation, warnings, detours }: Reply & { kind: "loaded" }): void {
    const { view, ghost, fork, nowUs } = this.run.getState();
    this.answer(null);
    this.foundJourney("superseded");
    this.accepted = this.store.getState().history;
    this.recorder = createRunView(layout);
    this.recorder.update({ detours });
    this.run.setState({
      generation,
      phase: this.seekTarget?.playing ? "running" : this.seekTarget?.fromUs ? "loading" : "paused",
      view: this.recorder,
      explanation: explanationOf(explanation),
      warnings,
      ghost: ghostOf(view, ghost, fork ? 0 : nowUs, this.recorder),
      nowUs: 0,
      durationUs: layout.durationUs,
      digest: null,
      changesInForce: 0,
      pending: this.chosen(),
      trapped: null,
      pausedInBackground: false,
    });
    if (this.gesture) this.hold(true);
  }

  /** The engine is gone. Where it could not say where the run stood, the last frame does. */
  private trapped(reply: Trapped): void {
    const { generation, nowUs } = this.run.getState();
    const shownUs = this.position().us;
    this.answer(null);
    this.foundJourney("superseded");
    const stoodAtUs = reply.generation === generation ? Math.max(reply.nowUs ?? 0, nowUs) : shownUs;
    this.run.setState({
      phase: "stopped",
      trapped: { ...reply, nowUs: stoodAtUs },
      pending: this.chosen(),
    });
  }

  private frame(frame: Frame): void {
    const state = this.run.getState();
    afterPaint(() => this.client.send({ kind: "taken", generation: frame.generation }));
    if (frame.generation !== state.generation || !this.recorder) return;
    const { rows, flowRows, deviceRows, figures, bottleneck, deadlock, nowUs, phase } = frame;
    const { links, devices, latency, stages, deviceLatency, convergence } = frame;
    const fresh = frame.generation === this.wantedGeneration;
    const onTheWay =
      fresh && this.seekTarget !== null && nowUs < this.seekTarget.fromUs - GRAIN_US && phase !== "ended";
    if (fresh && !onTheWay) {
      this.seekTarget = null;
      this.sendUnanswered();
    }
    this.recorder.update({
      rows,
      flowRows,
      deviceRows,
      figures,
      bottleneck,
      deadlock,
      nowUs,
      ...(links && { links }),
      ...(devices && { devices }),
      ...(latency && { latency }),
      ...(stages && { stages }),
      ...(deviceLatency && { deviceLatency }),
      ...(convergence && { convergence }),
    });
    const now = performance.now();
    const tickDue = phase !== "running" || now - this.lastTickMs >= TICK_MS;
    if (tickDue) this.lastTickMs = now;
    const passed = state.ghost && !state.fork && (nowUs >= state.ghost.nowUs || phase === "ended");
    this.run.setState({
      phase: onTheWay && phase === "paused" ? "loading" : phase,
      nowUs,
      paced: frame.paced,
      hopsPerSecond: frame.hopsPerSecond,
      forecast: phase === "ended" ? null : frame.forecast,
      digest: frame.digest,
      changesInForce: changesUntil(this.scenario, nowUs),
      ...(tickDue && { tick: state.tick + 1 }),
      ...(passed && { ghost: null }),
    });
  }

  private changed({ generation, timeline }: Reply & { kind: "changed" }): void {
    if (generation !== this.wantedGeneration) return;
    const changes = this.sent.shift() ?? [];
    const before = this.scenario;
    const scenario = { ...before, timeline };
    this.store.getState().edit(scenario);
    if (this.annotating.length === 0) this.accepted = this.store.getState().history;
    this.settle(changes);
    const made = lastIndexOfBatch(scenario, changes);
    this.run.setState(({ nowUs, fork, ghost }) => ({
      changesInForce: Math.max(changesUntil(scenario, nowUs), made),
      fork:
        fork ??
        (ghost && generation === this.wentBack ? { atUs: timeline[made - 1]?.atUs ?? nowUs, before } : null),
    }));
    this.requestModel();
    this.travelOn();
  }

  /** Changes have been answered: what is still on its way stays pending. */
  private settle(changes: readonly FieldChange[]): void {
    const underWay = new Set([...this.sent.flat().map(({ path }) => path), ...Object.keys(this.chosen())]);
    this.dropPending(changes.map(({ path }) => path).filter((path) => !underWay.has(path)));
  }

  private refused({ generation, of, diagnostics }: Reply & { kind: "diagnostics" }): void {
    if (of === "change") {
      if (generation !== this.wantedGeneration) return;
      this.settle(this.sent.shift() ?? []);
      this.run.setState({ diagnostics });
      // What was to be undone has not happened.
      this.travels.shift();
      this.travelOn();
      return;
    }
    if (generation !== this.wantedGeneration) return;
    if (of === "annotate") {
      this.refusedAnnotation(diagnostics);
      return;
    }
    if (this.recorder) {
      this.store.getState().restore(this.accepted);
      this.wantedGeneration = this.run.getState().generation;
      this.seekTarget = null;
      this.requestModel();
      this.run.setState({ diagnostics, pending: this.chosen() });
    } else {
      this.run.setState({ diagnostics, phase: "stopped" });
    }
  }
}

/** Whether a path leads to a field of a document. */
function isField(path: string, scenario: Scenario): boolean {
  try {
    fieldAt(path, scenario);
    return true;
  } catch {
    return false;
  }
}

/** Whether a value is one that JSON has. */
function isJson(value: unknown): boolean {
  if (value === null || typeof value === "string" || typeof value === "boolean") return true;
  if (typeof value === "number") return Number.isFinite(value);
  if (Array.isArray(value)) return value.every(isJson);
  return (
    typeof value === "object" &&
    Object.getPrototypeOf(value) === Object.prototype &&
    Object.values(value).every(isJson)
  );
}

/** Names of the traces that a scenario replays. */
const tracesOf = ({ workloads }: Scenario): string[] => [
  ...new Set(workloads.flatMap(({ traffic }) => (traffic.kind === "trace" ? [traffic.file] : []))),
];

/** Changes just made lie at the engine's present, which may be later than the last frame: they are in force too. */
function lastIndexOfBatch(scenario: Scenario, changes: readonly FieldChange[]): number {
  const timeline = scenario.timeline ?? [];
  return (
    timeline.findLastIndex((item) => changes.some((c) => c.path === item.path && c.value === item.value)) + 1
  );
}

/** What stays visible behind a new run: the longer of the recordings before it, if it shows the same classes. `nowUs` is where the last one stood. */
function ghostOf(view: RunView | null, ghost: RunView | null, nowUs: number, next: RunView): RunView | null {
  const candidate = ghost && ghost.nowUs > nowUs ? ghost : view;
  if (!candidate || candidate.n < 10) return null;
  const names = (run: RunView) => run.layout.classes.map((item) => item.name).join();
  return names(candidate) === names(next) ? candidate : null;
}
