import { useStore } from "zustand";
import { fixed, formatMilliseconds } from "../../charts/drawing/format.ts";
import { SPEEDS, speedText } from "../../engine/run/speed.ts";
import { useRun, useSession } from "../../panels/context.tsx";
import { eventText } from "../../run/events.ts";
import { IconButton } from "../../ui/Button.tsx";
import { Term } from "../../ui/Explained.tsx";
import { Icon } from "../../ui/Icon.tsx";
import type { Frame } from "../../ui/media.ts";
import { Select } from "../../ui/Select.tsx";
import { action } from "../actions.ts";
import { GUTTERS } from "../layout.ts";
import { pageStore } from "../pageStore.ts";
import { STEP_UNITS, type StepUnit, stepTitle } from "../stepUnits.ts";
import { useViews } from "../view/viewContext.tsx";
import { ForkChip } from "./ForkChip.tsx";
import { Scrubber } from "./Scrubber.tsx";
import "./PlaybackBar.css";

/** Time itself: play, step, speed, where the run stands, how fast the engine is. */
export function PlaybackBar({ frame }: { readonly frame: Frame }) {
  const gutters = frame === "desk" ? GUTTERS.desk : { left: 24, right: 24 };
  return (
    <section className="playback-bar" aria-label="Time">
      <div className="playback-buttons">
        <Buttons />
        <span className="speed">
          <SpeedSelect />
          <StepSelect />
        </span>
      </div>
      <Scrubber gutters={gutters} />
      <ForkChip />
      <div className="playback-now">
        <Clock />
        <Engine />
      </div>
    </section>
  );
}

/** The same on a phone, in two rows: position; buttons, time, speed. */
export function PhonePlayback() {
  return (
    <section className="phone-playback" aria-label="Time">
      <Scrubber gutters={{ left: 8, right: 8 }} axis={false} />
      <ForkChip />
      <Forecast />
      <div>
        <Buttons />
        <Clock />
        <SpeedSelect />
      </div>
    </section>
  );
}

/** On a phone: how long the run will take, where that is long. */
function Forecast() {
  const forecast = useRun((run) => (run.phase === "running" ? run.forecast : null));
  return forecast && <p className="forecast note">{forecast} to the end at full speed</p>;
}

function Buttons() {
  const session = useSession();
  const views = useViews();
  const length = stepTitle(useStore(pageStore, (page) => page.step));
  return (
    <>
      <IconButton
        icon="restart"
        label="Rerun from the start"
        shortcut={action("restart").shown}
        onClick={session.restart}
      />
      <IconButton
        icon="stepBack"
        label={`Step back by ${length}`}
        shortcut={action("stepBack").shown}
        onClick={() => action("stepBack").perform(session, views)}
      />
      <PlayButton />
      <IconButton
        icon="step"
        label={`Step by ${length}`}
        shortcut={action("step").shown}
        onClick={() => action("step").perform(session, views)}
      />
    </>
  );
}

export function PlayButton() {
  const session = useSession();
  const phase = useRun((run) => run.phase);
  const running = phase === "running";
  const label = running ? "Pause" : phase === "ended" ? "Rerun" : "Play";
  return (
    <button
      type="button"
      className="play"
      aria-label={label}
      title={`${label} (Space)`}
      disabled={phase === "loading"}
      onClick={session.toggle}
    >
      <Icon name={running ? "pause" : "play"} size={18} />
    </button>
  );
}

export function SpeedSelect() {
  const session = useSession();
  const speed = useRun((run) => run.speed);
  return (
    <Select
      look="plain"
      aria-label="Speed, simulated time per second"
      title="Simulated time per second ([ and ])"
      value={String(speed)}
      options={[...new Set([...SPEEDS, speed])].map((item) => ({
        value: String(item),
        title: speedText(item),
      }))}
      onChange={(value) => session.setSpeed(Number(value))}
    />
  );
}

function StepSelect() {
  const step = useStore(pageStore, (page) => page.step);
  const layout = useRun((run) => run.view?.layout);
  return (
    <span className="step note">
      step:
      <Select
        look="plain"
        aria-label="Length of a step"
        title="How far a step goes (, and .)"
        value={step}
        options={STEP_UNITS.map((unit) => ({ value: unit, title: stepTitle(unit, layout) }))}
        onChange={(value) => pageStore.setState({ step: value as StepUnit })}
      />
    </span>
  );
}

export function Clock() {
  const nowUs = useRun((run) => run.nowUs);
  const durationUs = useRun((run) => run.durationUs);
  const baseRttUs = useRun((run) => run.view?.layout.baseRttUs ?? Number.NaN);
  const event = useEvent();
  return (
    <div className="clock">
      <span className="clock-time">
        {formatMilliseconds(nowUs, event === null ? 3 : 6)} <small>ms</small>
      </span>
      <span
        className={`note${event === null ? "" : " clock-event"}`}
        title={event ?? undefined}
        aria-live={event === null ? "off" : "polite"}
      >
        {event ?? (
          <>
            <Term id="rtt">RTT</Term> {fixed(Math.floor(nowUs / baseRttUs), 0)}
            <span className="clock-of"> of {fixed(Math.round(durationUs / baseRttUs), 0)}</span>
          </>
        )}
      </span>
    </div>
  );
}

/** What happened at the event that the run stands just behind, in words; null where no step has led to one. */
function useEvent(): string | null {
  const event = useRun((run) => (run.event && Math.abs(run.event.us - run.nowUs) < 1e-6 ? run.event : null));
  const nodes = useRun((run) => run.view?.layout.graph.nodes);
  return event && eventText(event, (node) => nodes?.[node]?.name ?? "");
}

/** The pace of the engine; below it how long the run will take where that is long, else its digest. */
function Engine() {
  const forecast = useRun((run) => run.forecast);
  const rate = useRun((run) => run.hopsPerSecond);
  const paced = useRun((run) => run.paced);
  const digest = useRun((run) => run.digest);
  useRun((run) => run.tick);
  return (
    <div className="engine">
      <span>{Number.isFinite(rate) ? `${paced ? "up to " : ""}${rateText(rate)} packet-hops/s` : "–"}</span>
      {digest === null && forecast !== null ? (
        <span className="forecast">{forecast} to the end at full speed</span>
      ) : (
        <span>
          <Term id="digest">digest</Term>:{" "}
          {digest === null ? "pause to compute" : digest.replace(/(.{4})(?=.)/g, "$1 ")}
        </span>
      )}
    </div>
  );
}

function rateText(perSecond: number): string {
  const millions = perSecond / 1e6;
  return millions >= 1 ? `${fixed(millions, millions < 10 ? 1 : 0)} M` : `${fixed(perSecond / 1e3, 0)} k`;
}
