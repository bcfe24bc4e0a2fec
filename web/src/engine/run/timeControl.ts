import type { Phase, Speed } from "./protocol.ts";

/** Where a run stands and how it is driven. Reduced by pure commands; wall times are milliseconds of one clock. */
export interface TimeControl {
  readonly phase: Phase;
  readonly nowUs: number;
  readonly durationUs: number;
  readonly speed: Speed;
  /** Run on at full speed to this instant, then go on as `next` says: steps and jumps ahead. */
  readonly ahead: { readonly toUs: number; readonly next: "running" | "paused" } | null;
  /** Simulated time stands still, in whatever phase, while a person chooses a value. */
  readonly held: boolean;
  /** Pace: simulated time `us` belongs to wall time `ms`. */
  readonly anchor: { readonly us: number; readonly ms: number };
}

export type TimeCommand =
  | { readonly kind: "play"; readonly ms: number }
  | { readonly kind: "pause" }
  | { readonly kind: "step"; readonly us: number }
  | { readonly kind: "jump"; readonly toUs: number; readonly ms: number }
  | { readonly kind: "speed"; readonly speed: Speed; readonly ms: number }
  | { readonly kind: "hold"; readonly on: boolean; readonly ms: number }
  /** The engine has simulated up to an instant. */
  | { readonly kind: "reached"; readonly nowUs: number; readonly ms: number };

/** Longest wall time that a slow engine or a busy page may catch up afterwards. */
const DEBT_MS = 100;

/** Half of the engine's grain of time, one picosecond. */
const GRAIN_US = 5e-7;

export function startTime(durationUs: number, speed: Speed, ms: number): TimeControl {
  return { phase: "paused", nowUs: 0, durationUs, speed, ahead: null, held: false, anchor: { us: 0, ms } };
}

export function reduceTime(state: TimeControl, command: TimeCommand): TimeControl {
  switch (command.kind) {
    case "play":
      return state.phase === "ended"
        ? state
        : anchored({ ...state, phase: "running", ahead: null }, command.ms);
    case "pause":
      return state.phase === "ended" ? state : { ...state, phase: "paused", ahead: null };
    case "step": {
      if (state.phase === "ended") return state;
      const from = state.ahead?.toUs ?? state.nowUs;
      return {
        ...state,
        phase: "paused",
        ahead: { toUs: Math.min(from + command.us, state.durationUs), next: "paused" },
      };
    }
    case "jump": {
      if (state.phase === "ended" || command.toUs <= state.nowUs) return state;
      const next = state.phase === "running" ? "running" : "paused";
      return { ...state, ahead: { toUs: Math.min(command.toUs, state.durationUs), next } };
    }
    case "speed":
      return anchored({ ...state, speed: command.speed }, command.ms);
    case "hold":
      return anchored({ ...state, held: command.on }, command.ms);
    case "reached":
      return reached(state, command.nowUs, command.ms);
  }
}

function reached(state: TimeControl, nowUs: number, ms: number): TimeControl {
  const moved = { ...state, nowUs };
  if (nowUs >= state.durationUs - GRAIN_US) return { ...moved, phase: "ended", ahead: null };
  if (state.ahead && nowUs >= state.ahead.toUs - GRAIN_US)
    return anchored({ ...moved, phase: state.ahead.next, ahead: null }, ms);
  const behindMs = (paceUs(state, ms) - nowUs) / (state.speed / 1000);
  return !state.ahead && behindMs > DEBT_MS ? anchored(moved, ms) : moved;
}

const anchored = (state: TimeControl, ms: number): TimeControl => ({
  ...state,
  anchor: { us: state.nowUs, ms },
});

const paceUs = (state: TimeControl, ms: number): number =>
  state.speed === Infinity ? Infinity : state.anchor.us + ((ms - state.anchor.ms) * state.speed) / 1000;

/** Instant up to which the engine shall simulate now; `nowUs` or less where it has nothing to do. */
export function targetUs(state: TimeControl, ms: number): number {
  if (state.held) return state.nowUs;
  if (state.ahead) return state.ahead.toUs;
  if (state.phase !== "running") return state.nowUs;
  return Math.min(state.durationUs, paceUs(state, ms));
}

/** The engine is to work or will be, without a further command. */
export const isMoving = (state: TimeControl): boolean =>
  state.phase !== "ended" && !state.held && (state.ahead !== null || state.phase === "running");
