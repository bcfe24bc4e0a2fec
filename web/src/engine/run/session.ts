import { explanationOf } from "../../scenario/explanation.ts";
import type { Lock } from "../../scenario/lock.ts";
import { type ScenarioStore, scenarioOf } from "../../scenario/store.ts";
import { checkSource, type Source, type Verdict } from "../files/opening.ts";
import { EngineClient } from "./client.ts";
import { Flight } from "./flight.ts";
import { Gestures } from "./gestures.ts";
import type { Reply } from "./protocol.ts";
import { Questions } from "./questions.ts";
import { createRunStore } from "./runState.ts";
import { Travel, type TravelOptions } from "./travel.ts";

export interface SessionOptions extends TravelOptions {
  /** What of the scenario the person may not change. */
  readonly lock?: Lock | null;
  /** Changes of live fields run the scenario again from the start, too. */
  readonly restarts?: boolean;
}

/**
 * Ties a scenario to its run and keeps both in step: what a person does to the scenario (`Gestures`), where its run is brought
 * (`Travel`) and what the engine is asked beside it (`Questions`). Every reply of the engine comes in here.
 */
export function createSession(
  store: ScenarioStore,
  options: SessionOptions,
  createClient: (onReply: (reply: Reply) => void) => EngineClient = (onReply) => new EngineClient(onReply),
  check: (source: Source) => Promise<Verdict> = checkSource,
) {
  const lock = options.lock ?? null;
  const run = createRunStore();
  const client = createClient(take);
  const shared = { store, run, client, flight: new Flight() };
  const travel = new Travel(shared, options, check, {
    arrived: () => gestures.arrived(),
    finishGesture: () => gestures.finish(),
  });
  const gestures: Gestures = new Gestures(shared, travel, lock, options.restarts);
  const questions = new Questions(run, client);

  function take(reply: Reply): void {
    switch (reply.kind) {
      case "loaded": {
        questions.drop();
        const history = travel.loaded(reply);
        if (history) gestures.laidOut(history);
        break;
      }
      case "frame":
        travel.frame(reply);
        break;
      case "changed":
        gestures.changed(reply);
        break;
      case "annotated":
        travel.update(reply.generation, reply.reading);
        gestures.annotated(reply);
        break;
      case "diagnostics":
        if (reply.of === "load") gestures.refusedLoad(reply);
        else if (reply.of === "change") gestures.refusedChange(reply);
        else gestures.refusedAnnotation(reply);
        break;
      case "explained":
        if (travel.update(reply.generation, reply.reading))
          run.setState({ explanation: explanationOf(reply.explanation) });
        break;
      case "model":
        travel.update(reply.generation, reply.reading);
        break;
      case "summary":
      case "journey":
        questions.take(reply);
        break;
      case "event":
        travel.event(reply);
        break;
      case "trapped":
        questions.drop();
        travel.trapped(reply);
        gestures.lost();
        break;
      case "silence":
        run.setState({ silent: reply.silent });
        break;
    }
  }

  return {
    store,
    run,
    /** What of the scenario the person may not change; null where that is nothing. */
    lock,
    /** The person may not change the scenario as a whole. */
    locked: lock?.all ?? false,
    get scenario() {
      return scenarioOf(store.getState());
    },
    /** The traces that have been read, as they were kept. */
    traces: client.traces as ReadonlyMap<string, Uint8Array<ArrayBuffer>>,

    openFragment: travel.openFragment,
    open: travel.open,
    begin: travel.begin,
    beginAt: travel.beginAt,
    revisit: (visit: string): boolean => !lock?.all && travel.revisit(visit),
    addTrace: travel.addTrace,
    play: travel.play,
    pause: travel.pause,
    toggle: travel.toggle,
    background: travel.background,
    setSpeed: travel.setSpeed,
    restart: travel.restart,
    resume: travel.resume,
    step: travel.step,
    stepEvent: travel.stepEvent,
    stepEventBack: travel.stepEventBack,
    stepBack: travel.stepBack,
    seek: travel.seek,
    dismissFork: travel.dismissFork,

    shown: gestures.shown,
    change: gestures.change,
    changeFromHost: gestures.changeFromHost,
    edit: gestures.edit,
    runEdited: gestures.runEdited,
    runTried: gestures.runTried,
    undo: gestures.undo,
    redo: gestures.redo,

    summary: questions.summary,
    follow: questions.follow,

    /** Ends the engine and all that goes on. */
    end(): void {
      gestures.end();
      client.end();
    },
  };
}

export type Session = ReturnType<typeof createSession>;
