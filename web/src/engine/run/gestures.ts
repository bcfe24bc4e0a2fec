import { annotatedAs, sameButAnnotations } from "../../scenario/annotations.ts";
import { type History, record, without } from "../../scenario/history.ts";
import { type Lock, locks, locksStep } from "../../scenario/lock.ts";
import { getPath } from "../../scenario/path.ts";
import { withValue } from "../../scenario/reshape.ts";
import { fieldAt } from "../../scenario/schema.ts";
import { rebased } from "../../scenario/sections.ts";
import { originOf, type Step, scenarioOf, stepOf } from "../../scenario/store.ts";
import { effectiveScenario, sameButTimeline } from "../../scenario/timeline.ts";
import type { Diagnostic, Scenario } from "../../scenario/types.ts";
import { GestureWatch } from "./gestureWatch.ts";
import type { FieldChange, Reply } from "./protocol.ts";
import type { Goal, Shared, Travel } from "./travel.ts";

/** What a person's hand does. */
type Hand =
  | { readonly kind: "free" }
  /** Values that are still being chosen, and the run that this began on if that was under way. */
  | {
      readonly kind: "choosing";
      readonly values: ReadonlyMap<string, unknown>;
      readonly under: number | null;
    };

const FREE: Hand = { kind: "free" };

/** An edit, as the scenario before and after it. */
interface Edit {
  readonly before: Scenario;
  readonly after: Scenario;
}

/** Changes the scenario as a person's gestures say, and takes back what the engine refuses or the person undoes. */
export class Gestures {
  private hand: Hand = FREE;
  private readonly watch = new GestureWatch(() => this.finish());
  /** The history whose present the engine runs; null before the first run. */
  private accepted: History<Step> | null = null;
  /** Edits that are left out while those before them are tried alone, since the engine has refused all of them together. */
  private withheld: readonly Edit[] = [];

  constructor(
    private readonly shared: Shared,
    private readonly travel: Travel,
    private readonly lock: Lock | null,
    /** Every change edits the scenario, as if it had been so from the start on: none is recorded at the instant it was made. */
    private readonly restarts = false,
  ) {}

  /** The scenario as it is in force now, changes on their way included. */
  shown = (): Scenario => {
    const { changesInForce, pending } = this.shared.run.getState();
    return effectiveScenario(this.scenario, changesInForce, pending);
  };

  // Gestures and what they change.

  /**
   * Changes fields, all of them or none. Values of a gesture (a drag, a burst of keys) show in the controls while simulated
   * time is held, and act once, when the gesture is over: a gesture is one action, and no value that was only passed
   * through needs a place in the timeline. `choosing` says that a value is one of a gesture.
   */
  change = (changes: readonly FieldChange[], choosing = false): void => {
    const { lock, hand } = this;
    const held = lock && changes.find(({ path }) => locks(lock, path));
    if (held) {
      this.tellLocked(held.path);
      return;
    }
    const isChosen = ({ path }: FieldChange) => hand.kind === "choosing" && hand.values.has(path);
    if (!choosing || !changes.every(isChosen)) this.finish();
    if (choosing) this.choose(changes);
    else this.act(changes);
  };

  /**
   * Changes a field for the page around this one, which no lock holds back. What cannot be a value of a document, and a place that
   * no document has, are passed over; the rest is for the engine to judge.
   */
  changeFromHost = (path: string, value: unknown): void => {
    if (!isField(path, this.shown()) || !isJson(value)) return;
    this.finish();
    this.act([{ path, value }]);
  };

  private choose(changes: readonly FieldChange[]): void {
    const { hand, travel } = this;
    if (hand.kind === "free") this.hold(true);
    const { values, under } =
      hand.kind === "choosing" ? hand : { values: [], under: travel.isUnderWay ? travel.wanted : null };
    const chosen = changes.map(({ path, value }) => [path, value] as const);
    this.hand = { kind: "choosing", values: new Map([...values, ...chosen]), under };
    this.shared.run.setState({ diagnostics: [] });
    this.showPending();
    this.watch.extend();
  }

  /** The gesture is over: what was chosen acts. */
  finish = (): void => {
    const { hand, travel } = this;
    if (hand.kind === "free") return;
    this.watch.cancel();
    this.hand = FREE;
    this.showPending();
    const before = this.shown();
    const changes = [...hand.values].map(([path, value]) => ({ path, value }));
    // A run that came to its end before the hold reached it was still meant: the worker says that it is too late.
    const underWay = hand.under === travel.wanted || travel.isUnderWay;
    if (changes.some(({ path, value }) => getPath(before, path) !== value)) this.act(changes, underWay);
    this.hold(false);
  };

  /**
   * Live fields of a run under way change at its present instant and are recorded in the timeline; anything else edits the
   * scenario and runs it again.
   */
  private act(changes: readonly FieldChange[], meantUnderWay?: boolean): void {
    const { flight, run } = this.shared;
    const isLive = () => {
      const scenario = this.shown();
      const underWay = !this.restarts && (meantUnderWay ?? this.travel.isUnderWay);
      return underWay && changes.every(({ path }) => fieldAt(path, scenario).live);
    };
    run.setState({ diagnostics: [] });
    if (flight.isFree && isLive()) this.changeLive(changes);
    else {
      const act = () => (isLive() ? this.changeLive(changes) : this.replace(this.withValues(changes)));
      flight.inTurn({ kind: "changes", changes, act });
    }
    this.showPending();
  }

  private changeLive(changes: readonly FieldChange[]): void {
    const { flight, client, run } = this.shared;
    if (!this.travel.isThere) {
      flight.keep(changes);
      return;
    }
    flight.send({ kind: "changes", changes });
    client.send({ kind: "change", generation: run.getState().generation, changes });
  }

  /** The run is where kept changes are to be made. */
  arrived = (): void => {
    const { flight } = this.shared;
    if (!this.travel.isThere) return;
    for (const changes of flight.release()) this.changeLive(changes);
    flight.proceed();
    this.showPending();
  };

  // Edits of the whole scenario.

  /** Puts another scenario in place of this one and runs it; a run on which nothing of that depends goes on as it is. */
  edit = (next: Scenario): void => this.editInTurn(next, (scenario) => this.replace(scenario));

  /** Edits and runs at once, also after the engine stopped. */
  runEdited = (next: Scenario): void =>
    this.editInTurn(next, (scenario) => {
      this.make(scenario);
      this.shared.run.setState({ fork: null });
      this.travel.load({ playing: true, fromUs: 0 });
    });

  /** Makes the changes of something to try from the start on, as edits of the scenario, whatever the run does. */
  runTried = (changes: readonly FieldChange[]): void => this.runEdited(this.withValues(changes));

  private editInTurn(next: Scenario, act: (scenario: Scenario) => void): void {
    const { flight } = this.shared;
    const base = this.scenario;
    if (this.lock && locksStep(this.lock, base, next)) {
      this.tellLocked();
      return;
    }
    this.finish();
    // The engine judges what is told to readers beside what it was sent before.
    if (flight.isFree && sameButAnnotations(base, next)) act(rebased(next, base, this.scenario));
    else flight.inTurn({ kind: "edit", act: () => act(rebased(next, base, this.scenario)) });
  }

  private replace(next: Scenario): void {
    if (next === this.scenario) return;
    const isAnnotation = sameButAnnotations(this.scenario, next);
    this.make(next);
    if (isAnnotation) {
      this.annotate();
      return;
    }
    this.shared.run.setState({ diagnostics: [], fork: null });
    const { phase } = this.travel.position;
    if (phase !== "stopped") this.travel.load({ playing: phase !== "paused", fromUs: 0 });
  }

  /** Makes an edit: after those that are left out for a while, which were made before it. */
  private make(next: Scenario): void {
    const base = this.scenario;
    this.makeWithheld();
    this.shared.store.getState().edit(rebased(next, base, this.scenario));
  }

  private makeWithheld(): void {
    for (const { before, after } of this.withheld)
      this.shared.store.getState().edit(rebased(after, before, this.scenario));
    this.withheld = [];
  }

  /** Has the engine take over what the scenario tells its readers: it judges that, and the run goes on. */
  private annotate(): void {
    const { store, run, client, flight } = this.shared;
    const { phase, generation } = run.getState();
    run.setState({ diagnostics: [] });
    if (phase === "stopped") return;
    if (!this.travel.isLaidOut) {
      // The run that is being laid out knows nothing of it: another goes to the same instant.
      this.travel.loadInstead();
      return;
    }
    flight.send({ kind: "annotation", history: store.getState().history });
    client.send({ kind: "annotate", generation, scenario: JSON.stringify(this.scenario) });
  }

  // Undo and redo, by whole gestures.

  undo = (): void => {
    if (this.lock?.all) return;
    this.finish();
    this.shared.flight.inTurn({
      kind: "undo",
      act: () => this.go(() => this.shared.store.getState().undo()),
    });
  };

  /** Takes back an undo, one that still waits first. After a change there is nothing to redo. */
  redo = (): void => {
    const { flight, store } = this.shared;
    if (this.lock?.all) return;
    this.finish();
    if (flight.takeBackUndo() || flight.hasChanges) return;
    flight.inTurn({ kind: "travel", act: () => this.go(() => store.getState().redo()) });
  };

  /** Goes to another step of the history. */
  private go(move: () => void): void {
    const { store, run } = this.shared;
    const before = stepOf(store.getState());
    this.makeWithheld();
    move();
    const after = stepOf(store.getState());
    if (before === after) return;
    if (before.visit !== after.visit) {
      this.travel.opened(null);
      return;
    }
    const { us, phase } = this.travel.position;
    const { fork } = run.getState();
    const isForked = fork !== null && this.isPast(fork.before);
    run.setState({ diagnostics: [], fork: isForked ? fork : null });
    if (sameButAnnotations(before.scenario, after.scenario)) this.annotate();
    else if (sameButTimeline(before.scenario, after.scenario))
      this.travel.load({ playing: phase === "running", fromUs: us });
    else this.travel.load({ playing: phase !== "paused", fromUs: 0 });
  }

  /** Whether a scenario is one that the present one came from. */
  private isPast(scenario: Scenario): boolean {
    return this.shared.store.getState().history.past.some((step) => step.scenario === scenario);
  }

  // What the engine says of it.

  /** The engine has laid out a history's present: a run to come back to. */
  laidOut(history: History<Step>): void {
    this.accepted = history;
    this.showPending();
    if (this.hand.kind === "choosing") this.hold(true);
    // With the first of the edits that were left out it was refused.
    const { us, phase } = this.travel.position;
    this.tryAgain(this.withheld.slice(1), { fromUs: us, playing: phase === "running" });
  }

  /**
   * The engine refuses the scenario that it was to lay out. Edits that it has not judged are tried without the last of them; what
   * is refused alone is taken back, and the others are made without it.
   */
  refusedLoad({ generation, diagnostics }: Refused): void {
    const { store, run } = this.shared;
    const goal = this.travel.refused(generation);
    if (!goal) return;
    const { accepted } = this;
    const { history } = store.getState();
    const refused = history.present;
    const rest = refused === accepted?.present ? accepted : without(history, refused);
    if (!rest) {
      run.setState({ diagnostics, phase: "stopped" });
      return;
    }
    if (rest.present === accepted?.present) {
      const kept = refused === accepted.present ? accepted : without(accepted, refused);
      store.getState().restore(kept ?? accepted);
      const again = this.withheld;
      this.tryAgain(again, goal);
      // What was to change where the refused run was going changes there without it.
      if (again.length === 0 && this.shared.flight.keeps) this.travel.load(goal);
    } else {
      const edit = { before: rest.present.scenario, after: refused.scenario };
      this.withheld = [edit, ...this.withheld];
      store.getState().restore(rest);
      this.travel.load(goal);
    }
    run.setState({ diagnostics });
    this.showPending();
  }

  /** Makes edits again that were left out. */
  private tryAgain(edits: readonly Edit[], goal: Goal): void {
    this.withheld = edits;
    if (edits.length === 0) return;
    this.makeWithheld();
    this.travel.load(goal);
  }

  /** The engine has made live changes and recorded them. */
  changed({ generation, timeline, changesInForce }: Reply & { readonly kind: "changed" }): void {
    const { store, run, flight } = this.shared;
    if (generation !== this.travel.wanted) return;
    flight.done();
    const before = this.scenario;
    store.getState().edit({ ...before, timeline });
    if (!flight.hasAnnotations) this.accepted = store.getState().history;
    run.setState(({ nowUs, fork, ghost }) => {
      const atUs = timeline[changesInForce - 1]?.atUs ?? nowUs;
      const isFork = ghost !== null && this.travel.isRewound;
      return { changesInForce, fork: fork ?? (isFork ? { atUs, before } : null) };
    });
    flight.proceed();
    this.showPending();
  }

  refusedChange({ generation, diagnostics }: Refused): void {
    if (generation !== this.travel.wanted) return;
    this.shared.flight.refused();
    this.shared.run.setState({ diagnostics });
    this.shared.flight.proceed();
    this.showPending();
  }

  annotated({ generation }: Reply & { readonly kind: "annotated" }): void {
    if (generation !== this.travel.wanted) return;
    const sent = this.shared.flight.done();
    if (sent?.kind === "annotation") this.accepted = sent.history;
    this.shared.flight.proceed();
  }

  /** What the engine does not take is taken back, unless something later was sent, which it judges as a whole. */
  refusedAnnotation({ generation, diagnostics }: Refused): void {
    const { flight, run } = this.shared;
    if (generation !== this.travel.wanted) return;
    flight.refused();
    if (!flight.hasAnnotations) this.takeBackAnnotations();
    run.setState({ diagnostics });
    flight.proceed();
  }

  /** The steps since the last accepted one tell their readers what that does. */
  private takeBackAnnotations(): void {
    const { store } = this.shared;
    const { accepted } = this;
    if (!accepted) return;
    const { history } = store.getState();
    const steps = [...history.past, history.present];
    const place = steps.indexOf(accepted.present);
    const since = place < 0 ? [] : steps.slice(place + 1);
    const kept = since.reduce((result, step) => {
      const { scenario } = result.present;
      return sameButAnnotations(scenario, step.scenario)
        ? result
        : record(result, { ...step, scenario: annotatedAs(step.scenario, scenario) });
    }, accepted);
    store.getState().restore(place < 0 ? (without(accepted, history.present) ?? accepted) : kept);
    this.accepted = kept;
  }

  /** The engine is gone. */
  lost(): void {
    this.withheld = [];
    this.shared.flight.lost();
    this.showPending();
  }

  end(): void {
    this.watch.cancel();
  }

  private get scenario(): Scenario {
    return scenarioOf(this.shared.store.getState());
  }

  private withValues(changes: readonly FieldChange[]): Scenario {
    const origin = originOf(this.shared.store.getState());
    return changes.reduce((result, { path, value }) => withValue(result, path, value, origin), this.scenario);
  }

  /** Says that something was not done because it is locked. */
  private tellLocked(path = ""): void {
    const [reason, hint] = ["is locked by the page that shows this", ""];
    this.shared.run.setState({ diagnostics: [{ path, reason, hint, severity: "error" }] });
  }

  /** Shows what is under way and what is being chosen. */
  private showPending(): void {
    const { hand } = this;
    const chosen = hand.kind === "choosing" ? Object.fromEntries(hand.values) : {};
    this.shared.run.setState({ pending: { ...this.shared.flight.pending, ...chosen } });
  }

  private hold(on: boolean): void {
    const { run, client } = this.shared;
    client.send({ kind: "hold", generation: run.getState().generation, on });
  }
}

type Refused = Reply & { readonly kind: "diagnostics" } & { readonly diagnostics: readonly Diagnostic[] };

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
