import type { RunEvent } from "../../run/events.ts";
import { createRunView, type RunRecorder } from "../../run/recorder.ts";
import type { Reading, RunView } from "../../run/types.ts";
import type { LinkedView } from "../../scenario/codec.ts";
import { explanationOf } from "../../scenario/explanation.ts";
import { firstScenario } from "../../scenario/first.ts";
import type { History } from "../../scenario/history.ts";
import { type ScenarioStore, type Step, scenarioOf, stepOf } from "../../scenario/store.ts";
import type { Scenario } from "../../scenario/types.ts";
import { tracesOf } from "../../scenario/workloads.ts";
import type { Source, Verdict } from "../files/opening.ts";
import { afterPaint } from "./afterPaint.ts";
import type { EngineClient } from "./client.ts";
import type { Flight } from "./flight.ts";
import type { Frame, Reply, RunRequest, Speed, Trapped } from "./protocol.ts";
import type { RunState, RunStore } from "./runState.ts";
import { usualSpeed } from "./speed.ts";

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

/** Where a run is to be, and whether it goes on from there. */
export interface Goal {
  readonly fromUs: number;
  readonly playing: boolean;
}

/** A run that the engine was asked for and has not laid out. */
interface Asked {
  readonly generation: number;
  /** The history whose present it runs. */
  readonly history: History<Step>;
  readonly speed: Speed;
  /** It goes back in the run before, whose future it has before it. */
  readonly rewound: boolean;
  /** What the engine was told of its goal. */
  readonly told: Goal;
  /** What a person wants since. */
  goal: Goal;
}

/** How far the run on the page is. */
type Leg =
  | { readonly at: "nowhere" }
  /** It is going to its instant. */
  | { readonly at: "on the way"; readonly told: Goal; readonly goal: Goal; readonly rewound: boolean }
  | { readonly at: "goal"; readonly rewound: boolean };

export interface TravelOptions {
  readonly reducedMotion: boolean;
  /** Whether a scenario runs as soon as it is there; it does unless told otherwise. */
  readonly autoplay?: boolean;
}

/** What a session shares between its parts. */
export interface Shared {
  readonly store: ScenarioStore;
  readonly run: RunStore;
  readonly client: EngineClient;
  readonly flight: Flight;
}

/** What travelling asks of who changes the scenario. */
export interface Companion {
  /** The run is where it was to be. */
  arrived(): void;
  /** The run is left as it is: what a person is choosing is chosen. */
  finishGesture(): void;
}

/** Brings scenarios to the page and their runs to where a person wants them: opens, lays out, plays, steps, goes back. */
export class Travel {
  private recorder: RunRecorder | null = null;
  private leg: Leg = { at: "nowhere" };
  /** The last one is wanted; the run on the page goes on until it is there. */
  private asked: Asked[] = [];
  private generations = 0;
  private openings = 0;
  private lastTickMs = 0;

  constructor(
    private readonly shared: Shared,
    private readonly options: TravelOptions,
    private readonly check: (source: Source) => Promise<Verdict>,
    private readonly companion: Companion,
  ) {}

  // Where the run is.

  /** Where the run stands, or is to stand where it is going somewhere. */
  get position(): { readonly us: number; readonly phase: RunState["phase"] } {
    const { nowUs, phase, durationUs } = this.state;
    const { goal } = this;
    if (!goal || phase === "stopped") return { us: nowUs, phase };
    const { fromUs, playing } = goal;
    return { us: fromUs, phase: fromUs >= durationUs ? "ended" : playing ? "running" : "paused" };
  }

  /** Whether a change of a live field acts on the run from its present instant on. */
  get isUnderWay(): boolean {
    const { us, phase } = this.position;
    return (phase === "running" || phase === "paused") && us > 0 && this.state.missingTraces.length === 0;
  }

  /** The generation of the run that is wanted. */
  get wanted(): number {
    return this.asked.at(-1)?.generation ?? this.state.generation;
  }

  /** The engine has laid out what was wanted. */
  get isLaidOut(): boolean {
    return this.asked.length === 0 && this.leg.at !== "nowhere" && this.state.missingTraces.length === 0;
  }

  /** The run is where it was to be. */
  get isThere(): boolean {
    return this.isLaidOut && this.leg.at === "goal";
  }

  /** The run went back, and has its old future before it. */
  get isRewound(): boolean {
    return this.leg.at !== "nowhere" && this.leg.rewound;
  }

  // Openings. What was changed in the scenario before and is not answered stays behind.

  /** Opens what an address holds: a link, or the first scenario. */
  openFragment = async (fragment: string, showView?: ShowView): Promise<Opening> => {
    if (!/^#?$/.test(fragment)) return this.open({ kind: "link", fragment }, showView);
    this.begin(firstScenario, () => showView?.({ kind: "none" }) ?? null);
    return "opened";
  };

  /**
   * Opens a scenario from outside once the engine has accepted it; until then, and where it is refused, the run on the page
   * goes on as it was. Of several openings the latest counts.
   */
  open = async (source: Source, showView?: ShowView): Promise<Opening> => {
    const opening = ++this.openings;
    const verdict = await this.check(source);
    if (opening !== this.openings) return "superseded";
    if (verdict.kind === "refused") {
      this.shared.run.setState({ refusal: verdict.refusal });
      return "refused";
    }
    this.begin(verdict.scenario, () => showView?.(verdict.view ?? { kind: "none" }) ?? null);
    return "opened";
  };

  /**
   * Puts a scenario that the engine accepts on the page and runs it; with reduced motion it is shown at its end. `show` shows
   * it, and tells where the run is to wait instead.
   */
  begin = (scenario: Scenario, show?: () => number | null): void => {
    const { store, run } = this.shared;
    this.openings++;
    const { begun } = this.state;
    this.leave();
    run.setState({ begun: true });
    if (!begun) store.getState().start(scenario);
    else if (scenario !== this.scenario) store.getState().open(scenario);
    this.opened(show?.() ?? null);
  };

  /** Puts a scenario that the engine accepts in the place of all there was, and brings it to an instant, where it waits. */
  beginAt = (scenario: Scenario, us: number): void => {
    const { store, run } = this.shared;
    this.leave();
    store.getState().start(scenario);
    run.setState({ begun: true });
    this.load({ playing: false, fromUs: us });
  };

  /** Goes back or ahead to what was opened before, as it was left. Returns whether the page still knows it. */
  revisit = (visit: string): boolean => {
    const { store } = this.shared;
    this.companion.finishGesture();
    const before = stepOf(store.getState());
    const known = store.getState().revisit(visit);
    if (stepOf(store.getState()) !== before) {
      this.shared.flight.leave();
      this.opened(null);
    }
    return known;
  };

  /** Runs a scenario that has just come to the page, or goes to where it is to wait. */
  opened(atUs: number | null): void {
    const { durationUs } = this.scenario;
    this.shared.run.setState({
      speed: usualSpeed(durationUs),
      fork: null,
      diagnostics: [],
      refusal: null,
      pausedInBackground: false,
    });
    // Nothing of the run before is gone back to.
    this.shared.client.release();
    const { reducedMotion, autoplay = true } = this.options;
    if (atUs !== null && atUs < durationUs) this.load({ playing: false, fromUs: atUs });
    else if (reducedMotion) this.load({ playing: false, fromUs: durationUs });
    else this.load({ playing: autoplay, fromUs: 0 });
  }

  private leave(): void {
    this.companion.finishGesture();
    this.shared.flight.leave();
  }

  /** Keeps a trace that was read for the workloads that name it, and runs the scenario if it waited for that. */
  addTrace = (name: string, bytes: Uint8Array<ArrayBuffer>): void => {
    this.shared.client.addTrace(name, bytes);
    if (tracesOf(this.scenario).includes(name)) this.restart();
  };

  // Playing.

  play = (): void => {
    const { phase } = this.position;
    if (this.state.silent) this.resume();
    else if (phase === "ended" || phase === "stopped") this.restart();
    else this.steer(true);
    this.shared.run.setState({ pausedInBackground: false });
  };

  pause = (): void => this.steer(false);

  toggle = (): void => {
    if (this.position.phase === "running" && !this.state.silent) this.pause();
    else this.play();
  };

  /** Pauses because nobody looks; says so on return. */
  background = (): void => {
    if (this.state.phase !== "running") return;
    this.pause();
    this.shared.run.setState({ pausedInBackground: true });
  };

  setSpeed = (speed: Speed): void => {
    this.shared.run.setState({ speed });
    this.command({ kind: "speed", speed });
  };

  /** Plays or pauses the run that is wanted: once it is where it is to be; to pause on the way there is to stay. */
  private steer(playing: boolean): void {
    const wanted = this.asked.at(-1);
    if (wanted) wanted.goal = { ...wanted.goal, playing };
    else if (this.leg.at === "on the way" && playing)
      this.leg = { ...this.leg, goal: { ...this.leg.goal, playing } };
    else {
      this.command({ kind: playing ? "play" : "pause" });
      if (this.leg.at === "on the way") this.arrive(this.leg);
    }
  }

  // Going to an instant.

  /** Runs the same scenario again from the start. */
  restart = (): void => this.inTurn(() => this.load({ playing: true, fromUs: 0 }));

  /**
   * Brings a run whose engine is gone back to where it stood, by running the same scenario again up to there. What was
   * changed while the engine was silent takes effect then.
   */
  resume = (): void => {
    const { us, phase } = this.position;
    const fromUs = this.state.trapped?.nowUs ?? us;
    this.companion.finishGesture();
    this.shared.flight.keepSent();
    this.load({ playing: phase !== "paused" && phase !== "ended", fromUs });
  };

  /** Goes ahead by a stretch of time and waits. */
  step = (us: number): void => {
    if (this.goal) this.inTurn(() => this.go(this.position.us + us));
    else this.command({ kind: "step", us });
  };

  /** Goes to just after the next event. */
  stepEvent = (): void => this.command({ kind: "event", go: "on" });

  /** Goes back to just after the event before the last. */
  stepEventBack = (): void => this.command({ kind: "event", go: "back" });

  /** Goes back by a stretch of time; several steps add up, also while the first is on its way. */
  stepBack = (us: number): void => this.inTurn(() => this.go(Math.max(0, this.position.us - us)));

  /** Goes to an instant: ahead by running there, back from the nearest state that the engine has kept. */
  seek = (us: number): void => this.inTurn(() => this.go(us));

  /** Stays with the run that has left its old future, which is shown no longer. */
  dismissFork = (): void => this.shared.run.setState({ fork: null, ghost: null });

  private inTurn(act: () => void): void {
    this.shared.flight.inTurn({ kind: "travel", act });
  }

  private go(us: number): void {
    const { nowUs, phase } = this.state;
    if (this.goal) this.load({ playing: false, fromUs: us }, true);
    else if (us < nowUs) this.load({ playing: false, fromUs: us }, true);
    else if (us > nowUs && phase !== "ended") this.command({ kind: "step", us: us - nowUs });
  }

  // Laying out.

  /** Has the engine lay out the scenario on the page, and brings its run to an instant. */
  load(goal: Goal, rewound = false): void {
    const { store, run, client } = this.shared;
    const missingTraces = tracesOf(this.scenario).filter((name) => !client.traces.has(name));
    run.setState({ missingTraces });
    if (missingTraces.length > 0) {
      if (this.recorder) this.command({ kind: "pause" });
      else run.setState({ phase: "stopped" });
      return;
    }
    const { speed, trapped } = this.state;
    const generation = ++this.generations;
    this.asked.push({ generation, history: store.getState().history, speed, rewound, told: goal, goal });
    if (trapped) run.setState({ trapped: null });
    if (!this.recorder || trapped) run.setState({ phase: "loading" });
    const framePeriodMs = this.options.reducedMotion ? 250 : 1000 / 60;
    client.load({ generation, scenario: this.scenario, ...goal, speed, framePeriodMs });
  }

  /** Lays out what the scenario has become meanwhile, for where the run was going. */
  loadInstead(): void {
    const wanted = this.asked.at(-1);
    if (wanted) this.load(wanted.goal, wanted.rewound);
  }

  /** The engine has laid out a run. Returns the history whose present it runs; null where nobody knows it. */
  loaded({ generation, layout, explanation, warnings, reading }: ReplyOf<"loaded">): History<Step> | null {
    const load = this.asked.find((asked) => asked.generation === generation);
    if (!load) return null;
    this.asked = this.asked.filter((asked) => asked.generation > generation);
    this.leg = { at: "on the way", told: load.told, goal: load.goal, rewound: load.rewound };
    this.recorder = createRunView(layout);
    this.recorder.update(reading);
    const { view, ghost, fork, nowUs, speed } = this.state;
    const { playing, fromUs } = this.goal ?? load.goal;
    this.shared.run.setState({
      generation,
      phase: playing ? "running" : fromUs > 0 ? "loading" : "paused",
      view: this.recorder,
      explanation: explanationOf(explanation),
      warnings,
      ghost: ghostOf(view, ghost, fork ? 0 : nowUs, this.recorder),
      nowUs: 0,
      durationUs: layout.durationUs,
      digest: null,
      changesInForce: 0,
      trapped: null,
      pausedInBackground: false,
    });
    if (speed !== load.speed) this.command({ kind: "speed", speed });
    return load.history;
  }

  /** The engine has refused to lay a run out; that on the page goes on. Returns where the refused one was to be, if it is still wanted. */
  refused(generation: number): Goal | null {
    const load = this.asked.find((asked) => asked.generation === generation);
    this.asked = this.asked.filter((asked) => asked.generation > generation);
    return load && this.asked.length === 0 ? load.goal : null;
  }

  // What the engine tells of the run on the page.

  frame({ generation, phase, reading, ...told }: Frame): void {
    const { state, recorder, leg } = this;
    afterPaint(() => this.shared.client.send({ kind: "taken", generation }));
    if (generation !== state.generation || !recorder) return;
    recorder.update(reading);
    const { nowUs } = reading;
    const isOnTheWay =
      leg.at === "on the way" && nowUs < leg.goal.fromUs - GRAIN_US && phase !== "ended" ? leg : null;
    const now = performance.now();
    const tickDue = phase !== "running" || now - this.lastTickMs >= TICK_MS;
    if (tickDue) this.lastTickMs = now;
    const passed = state.ghost && !state.fork && (nowUs >= state.ghost.nowUs || phase === "ended");
    this.shared.run.setState({
      phase: isOnTheWay && phase === "paused" ? "loading" : phase,
      nowUs,
      paced: told.paced,
      hopsPerSecond: told.hopsPerSecond,
      forecast: phase === "ended" ? null : told.forecast,
      digest: told.digest,
      changesInForce: told.changesInForce,
      ...(tickDue && { tick: state.tick + 1 }),
      ...(passed && { ghost: null }),
    });
    if (leg.at !== "on the way" || isOnTheWay) return;
    const { told: asked, goal } = leg;
    if (goal.playing !== asked.playing) this.command({ kind: goal.playing ? "play" : "pause" });
    this.arrive(leg);
  }

  private arrive({ rewound }: Leg & { readonly at: "on the way" }): void {
    this.leg = { at: "goal", rewound };
    this.companion.arrived();
  }

  /** Something new is known of a run. Returns whether it is the one on the page. */
  update(generation: number, reading: Reading = {}): boolean {
    if (generation !== this.state.generation) return false;
    this.recorder?.update(reading);
    return true;
  }

  /** The run has been brought past an event, or is to go back to one. */
  event({ generation, go, event }: ReplyOf<"event">): void {
    if (generation !== this.state.generation) return;
    if (go === "back") this.seek(event?.us ?? 0);
    this.shared.run.setState({ event: event satisfies RunEvent | null });
  }

  /** The engine is gone. Where it could not say where the run stood, the last frame does. */
  trapped(reply: Trapped): void {
    const { generation, nowUs } = this.state;
    const stoodAtUs = reply.generation === generation ? Math.max(reply.nowUs ?? 0, nowUs) : this.position.us;
    this.asked = [];
    this.leg = { at: "goal", rewound: false };
    this.shared.run.setState({ phase: "stopped", trapped: { ...reply, nowUs: stoodAtUs } });
  }

  private get state(): RunState {
    return this.shared.run.getState();
  }

  private get scenario(): Scenario {
    return scenarioOf(this.shared.store.getState());
  }

  /** Where the wanted run is going; null where it is there. */
  private get goal(): Goal | null {
    return this.asked.at(-1)?.goal ?? (this.leg.at === "on the way" ? this.leg.goal : null);
  }

  private command(request: Command): void {
    this.shared.client.send({ ...request, generation: this.state.generation });
  }
}

type ReplyOf<K extends Reply["kind"]> = Reply & { readonly kind: K };

type Unaddressed<R> = R extends unknown ? Omit<R, "generation"> : never;
type Command = Unaddressed<RunRequest & { readonly kind: "play" | "pause" | "step" | "event" | "speed" }>;

/** What stays visible behind a new run: the longer of the recordings before it, if it shows the same classes. `nowUs` is where the last one stood. */
function ghostOf(view: RunView | null, ghost: RunView | null, nowUs: number, next: RunView): RunView | null {
  const candidate = ghost && ghost.nowUs > nowUs ? ghost : view;
  if (!candidate || candidate.n < 10) return null;
  const names = (run: RunView) => run.layout.classes.map((item) => item.name).join();
  return names(candidate) === names(next) ? candidate : null;
}
