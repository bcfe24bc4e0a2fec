import { createStore } from "zustand/vanilla";
import { createRunView, type RunRecorder } from "../charts/run.ts";
import type { RunView } from "../charts/types.ts";
import type { DcqcnSets } from "../scenario/dcqcn.ts";
import type { History } from "../scenario/history.ts";
import { setPath } from "../scenario/path.ts";
import { fieldAt } from "../scenario/schema.ts";
import { documentOf, type ScenarioStore } from "../scenario/store.ts";
import { changesUntil, inForce } from "../scenario/timeline.ts";
import type { Fault, Scenario } from "../scenario/types.ts";
import { EngineClient } from "./client.ts";
import type { FieldChange, Frame, Phase, Reply, Speed, Trapped } from "./protocol.ts";
import { usualSpeed } from "./speed.ts";

/** What the page shows of the run; changes with every frame. */
export interface RunState {
  readonly generation: number;
  readonly phase: Phase | "loading" | "stopped";
  /** The recording that the charts draw; null before the first run. */
  readonly view: RunView | null;
  /** What the sets of DCQCN give at the rate of this run's links; null before the first run. */
  readonly dcqcnSets: DcqcnSets | null;
  /** The recording before a restart, until the new one has passed it. */
  readonly ghost: RunView | null;
  readonly nowUs: number;
  readonly durationUs: number;
  readonly speed: Speed;
  readonly paced: boolean;
  readonly hopsPerSecond: number;
  readonly digest: string | null;
  /** Recorded changes that have taken effect. */
  readonly changesInForce: number;
  /** Changes sent to the engine and not answered yet, by path. */
  readonly pending: Readonly<Record<string, unknown>>;
  /** Counts up about ten times a second while figures change: the pace of tables. */
  readonly tick: number;
  /** What the engine refused last; the run before goes on. */
  readonly faults: readonly Fault[];
  readonly trapped: Trapped | null;
  /** The page was in the background and paused the run. */
  readonly pausedInBackground: boolean;
}

const START: RunState = {
  generation: 0,
  phase: "loading",
  view: null,
  dcqcnSets: null,
  ghost: null,
  nowUs: 0,
  durationUs: 1,
  speed: 500,
  paced: true,
  hopsPerSecond: Number.NaN,
  digest: null,
  changesInForce: 0,
  pending: {},
  tick: 0,
  faults: [],
  trapped: null,
  pausedInBackground: false,
};

/** Least time between two live changes of one burst: a drag leaves a handful of recorded changes, not hundreds. */
const CHANGE_PERIOD_MS = 150;
const TICK_MS = 100;
/** Half of the engine's grain of time, one picosecond. */
const GRAIN_US = 5e-7;

interface LoadOptions {
  readonly playing: boolean;
  readonly fromUs?: number;
}

/** Ties the document to the run: decides what a change does to it and keeps both in step. */
export class Session {
  readonly run = createStore<RunState>()(() => START);
  private readonly client: EngineClient;
  private recorder: RunRecorder | null = null;
  /** The history whose present the engine accepted last. */
  private accepted: History<Scenario>;
  private readonly sent: { readonly changes: readonly FieldChange[]; readonly gesture: string | null }[] = [];
  private burst: { readonly changes: Map<string, FieldChange>; gesture: string | null } | null = null;
  private lastTickMs = 0;
  private wantedGeneration = 0;
  /** Where a run that was just loaded is going, until it is there. */
  private heading: Required<LoadOptions> | null = null;

  constructor(
    readonly scenario: ScenarioStore,
    private readonly options: { readonly reducedMotion: boolean },
    createClient: (onReply: (reply: Reply) => void) => EngineClient = (onReply) => new EngineClient(onReply),
  ) {
    this.accepted = scenario.getState().history;
    this.client = createClient((reply) => this.take(reply));
  }

  get document(): Scenario {
    return documentOf(this.scenario.getState());
  }

  /** Starts what the document describes; with reduced motion it is shown at its end, standing still. */
  begin(document: Scenario = this.document): void {
    const speed = usualSpeed(document.durationUs);
    this.run.setState({ speed, faults: [], pausedInBackground: false });
    if (document !== this.document) this.scenario.getState().open(document);
    this.load(
      this.options.reducedMotion ? { playing: false, fromUs: document.durationUs } : { playing: true },
    );
  }

  play = (): void => {
    const { phase } = this.run.getState();
    if (phase === "ended" || phase === "stopped") this.restart();
    else this.send("play");
    this.run.setState({ pausedInBackground: false });
  };

  pause = (): void => this.send("pause");

  toggle = (): void => (this.run.getState().phase === "running" ? this.pause() : this.play());

  /** Runs the same document again from the start. */
  restart = (): void => this.load({ playing: true });

  step = (us: number): void => {
    this.client.send({ kind: "step", generation: this.run.getState().generation, us });
  };

  /** Goes to an instant: ahead by running there, back by running the same document again up to it. */
  seek = (us: number): void => {
    const { nowUs, phase, generation } = this.run.getState();
    if (us > nowUs && phase !== "ended") this.client.send({ kind: "step", generation, us: us - nowUs });
    else if (us < nowUs) this.load({ playing: false, fromUs: us });
  };

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
   * Changes fields. Live fields of a run under way change at its present instant and are recorded in the timeline;
   * anything else edits the document and runs it again.
   */
  change(changes: readonly FieldChange[], gesture: string | null = null): void {
    const document = this.shown();
    const live = changes.every(({ path }) => fieldAt(path, document).live);
    const { phase, us } = this.standing();
    const underWay = (phase === "running" || phase === "paused") && us > 0;
    if (live && underWay) this.changeLive(changes, gesture);
    else {
      this.edit(
        changes.reduce((result, { path, value }) => setPath(result, path, value), this.document),
        gesture,
      );
    }
  }

  /** Puts another document in place of this one and runs it. */
  edit(next: Scenario, gesture: string | null = null): void {
    if (next === this.document) return;
    this.scenario.getState().edit(next, gesture);
    this.run.setState({ faults: [] });
    const { phase } = this.standing();
    if (phase !== "stopped") this.load({ playing: phase !== "paused" });
  }

  /** Edits and runs at once, also after the engine stopped. */
  runEdited(next: Scenario): void {
    this.scenario.getState().edit(next);
    this.restart();
  }

  /** Opens the text of a scenario file. */
  openText(text: string): void {
    try {
      this.begin(JSON.parse(text) as Scenario);
    } catch {
      this.run.setState({
        faults: [{ path: "file", reason: "is not JSON", fix: "Open a scenario file." }],
      });
    }
  }

  undo = (): void => this.travel(() => this.scenario.getState().undo());

  redo = (): void => this.travel(() => this.scenario.getState().redo());

  /** The document as it is in force now, changes on their way included. */
  shown(): Scenario {
    const { changesInForce, pending } = this.run.getState();
    return shownDocument(this.document, changesInForce, pending);
  }

  private travel(step: () => void): void {
    const before = this.document;
    step();
    const after = this.document;
    if (before === after) return;
    const { us, phase } = this.standing();
    this.run.setState({ faults: [] });
    if (sameButTimeline(before, after)) this.load({ playing: phase === "running", fromUs: us });
    else this.load({ playing: phase !== "paused" });
  }

  /** Where the run stands, or is about to stand when it has just been loaded. */
  private standing(): { readonly us: number; readonly phase: RunState["phase"] } {
    const { nowUs, phase, durationUs } = this.run.getState();
    if (!this.heading || phase === "stopped") return { us: nowUs, phase };
    const { fromUs, playing } = this.heading;
    return { us: fromUs, phase: fromUs >= durationUs ? "ended" : playing ? "running" : "paused" };
  }

  private changeLive(changes: readonly FieldChange[], gesture: string | null): void {
    const pending = Object.fromEntries(changes.map(({ path, value }) => [path, value]));
    this.run.setState((state) => ({ pending: { ...state.pending, ...pending }, faults: [] }));
    if (this.burst) {
      for (const item of changes) this.burst.changes.set(item.path, item);
      this.burst.gesture = gesture;
      return;
    }
    this.burst = { changes: new Map(), gesture };
    this.sendChanges(changes, gesture);
    setTimeout(() => this.endBurst(), CHANGE_PERIOD_MS);
  }

  private endBurst(): void {
    const burst = this.burst;
    this.burst = null;
    if (!burst || burst.changes.size === 0) return;
    const changes = [...burst.changes.values()];
    if (this.run.getState().phase === "ended") this.change(changes, burst.gesture);
    else this.changeLive(changes, burst.gesture);
  }

  private sendChanges(changes: readonly FieldChange[], gesture: string | null): void {
    this.sent.push({ changes, gesture });
    this.client.send({ kind: "change", generation: this.run.getState().generation, changes });
  }

  private send(kind: "play" | "pause"): void {
    this.client.send({ kind, generation: this.run.getState().generation });
  }

  private load({ playing, fromUs = 0 }: LoadOptions): void {
    const { speed, trapped } = this.run.getState();
    this.wantedGeneration++;
    this.heading = { playing, fromUs };
    this.sent.length = 0;
    this.burst = null;
    if (trapped) this.run.setState({ trapped: null });
    if (!this.recorder || trapped) this.run.setState({ phase: "loading" });
    this.client.load({
      kind: "load",
      generation: this.wantedGeneration,
      scenario: JSON.stringify(this.document),
      playing,
      speed,
      fromUs,
      framePeriodMs: this.options.reducedMotion ? 250 : 1000 / 60,
    });
    this.requestModel();
  }

  private requestModel(): void {
    const scenario = JSON.stringify(this.document);
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
      case "faults":
        this.refused(reply);
        break;
      case "model":
        if (reply.generation === this.run.getState().generation)
          this.recorder?.update({ model: reply.overlay });
        break;
      case "trapped":
        this.run.setState({ phase: "stopped", trapped: reply, pending: {} });
        break;
    }
  }

  private loaded({ generation, layout, dcqcnSets }: Reply & { kind: "loaded" }): void {
    const { view, ghost, nowUs } = this.run.getState();
    this.accepted = this.scenario.getState().history;
    this.recorder = createRunView(layout);
    this.run.setState({
      generation,
      phase: this.heading?.playing ? "running" : this.heading?.fromUs ? "loading" : "paused",
      view: this.recorder,
      dcqcnSets,
      ghost: ghostOf(view, ghost, nowUs, this.recorder),
      nowUs: 0,
      durationUs: layout.durationUs,
      digest: null,
      changesInForce: 0,
      pending: {},
      trapped: null,
      pausedInBackground: false,
    });
  }

  private frame(frame: Frame): void {
    const state = this.run.getState();
    afterPaint(() => this.client.send({ kind: "taken", generation: frame.generation }));
    if (frame.generation !== state.generation || !this.recorder) return;
    const { rows, flowRows, figures, links, deadlock, latency, nowUs, phase } = frame;
    const fresh = frame.generation === this.wantedGeneration;
    const onTheWay =
      fresh && this.heading !== null && nowUs < this.heading.fromUs - GRAIN_US && phase !== "ended";
    if (fresh && !onTheWay) this.heading = null;
    this.recorder.update({
      rows,
      flowRows,
      figures,
      deadlock,
      nowUs,
      ...(links && { links }),
      ...(latency && { latency }),
    });
    const now = performance.now();
    const tock = phase !== "running" || now - this.lastTickMs >= TICK_MS;
    if (tock) this.lastTickMs = now;
    const passed = state.ghost && (nowUs >= state.ghost.nowUs || phase === "ended");
    this.run.setState({
      phase: onTheWay && phase === "paused" ? "loading" : phase,
      nowUs,
      paced: frame.paced,
      hopsPerSecond: frame.hopsPerSecond,
      digest: frame.digest,
      changesInForce: changesUntil(this.document, nowUs),
      ...(tock && { tick: state.tick + 1 }),
      ...(passed && { ghost: null }),
      ...(phase === "ended" && { pending: {} }),
    });
  }

  private changed({ generation, timeline }: Reply & { kind: "changed" }): void {
    if (generation !== this.wantedGeneration) return;
    const batch = this.sent.shift();
    const document = { ...this.document, timeline };
    this.scenario.getState().edit(document, batch?.gesture ?? null);
    this.accepted = this.scenario.getState().history;
    this.run.setState(({ pending, nowUs }) => ({
      pending: Object.fromEntries(
        Object.entries(pending).filter(
          ([path, value]) => !batch?.changes.some((c) => c.path === path && c.value === value),
        ),
      ),
      changesInForce: Math.max(
        changesUntil(document, nowUs),
        lastIndexOfBatch(document, batch?.changes ?? []),
      ),
    }));
    this.requestModel();
  }

  private refused({ generation, of, faults }: Reply & { kind: "faults" }): void {
    if (of === "change") {
      if (generation === this.run.getState().generation) this.run.setState({ faults, pending: {} });
      return;
    }
    if (generation !== this.wantedGeneration) return;
    if (this.recorder) {
      this.scenario.getState().restore(this.accepted);
      this.wantedGeneration = this.run.getState().generation;
      this.heading = null;
      this.requestModel();
      this.run.setState({ faults, pending: {} });
    } else {
      this.run.setState({ faults, phase: "stopped" });
    }
  }
}

/** Drawing that takes longer than this, in milliseconds, is followed by as long a rest. */
const LIGHT_MS = 8;

/**
 * Calls back when what was just drawn is on the screen, and after a rest where that took long: on a slow machine the
 * page stays answerable and shows fewer frames. At once where nothing is drawn.
 */
function afterPaint(action: () => void): void {
  if (typeof requestAnimationFrame === "undefined" || document.hidden) {
    action();
    return;
  }
  requestAnimationFrame(() => {
    const began = performance.now();
    setTimeout(() => {
      const tookMs = performance.now() - began;
      if (tookMs > LIGHT_MS) setTimeout(action, tookMs);
      else action();
    });
  });
}

/** The document with the changes in force and those on their way. */
export function shownDocument(
  document: Scenario,
  changesInForce: number,
  pending: Readonly<Record<string, unknown>>,
): Scenario {
  return Object.entries(pending).reduce(
    (result, [path, value]) => setPath(result, path, value),
    inForce(document, changesInForce),
  );
}

/** Changes just made lie at the engine's present, which may be later than the last frame: they are in force too. */
function lastIndexOfBatch(document: Scenario, changes: readonly FieldChange[]): number {
  const timeline = document.timeline ?? [];
  return (
    timeline.findLastIndex((item) => changes.some((c) => c.path === item.path && c.value === item.value)) + 1
  );
}

function sameButTimeline(a: Scenario, b: Scenario): boolean {
  const { timeline: _a, ...first } = a;
  const { timeline: _b, ...second } = b;
  return JSON.stringify(first) === JSON.stringify(second);
}

/** What stays visible behind a new run: the longer of the recordings before it, if it shows the same classes. */
function ghostOf(view: RunView | null, ghost: RunView | null, nowUs: number, next: RunView): RunView | null {
  const candidate = ghost && ghost.nowUs > nowUs ? ghost : view;
  if (!candidate || candidate.n < 10) return null;
  const names = (run: RunView) => run.layout.classes.map((item) => item.name).join();
  return names(candidate) === names(next) ? candidate : null;
}
