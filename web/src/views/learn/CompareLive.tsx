import { useEffect, useMemo } from "react";
import { useStore } from "zustand";
import { createSharedAxis, type SharedAxis } from "../../charts/time/chartModel.ts";
import { follow } from "../../engine/run/follower.ts";
import type { Session } from "../../engine/run/session.ts";
import { SessionProvider } from "../../panels/context.tsx";
import type { RunView } from "../../run/types.ts";
import type { Frame } from "../../ui/media.ts";
import type { Lesson } from "../../workbench/lesson/lesson.ts";
import { Line } from "../../workbench/lesson/Markup.tsx";
import { LiveView } from "./LiveView.tsx";

interface CompareLiveProps {
  /** The last one leads. */
  readonly sessions: readonly Session[];
  readonly lesson: Lesson;
  readonly names: readonly string[];
  readonly show: readonly string[] | undefined;
  readonly frame: Frame;
}

const USUAL = ["throughput", "queue"];

/** Runs side by side in step, over the same axes. */
export function CompareLive({ sessions, lesson, names, show = USUAL, frame }: CompareLiveProps) {
  useEffect(() => {
    const lead = sessions.at(-1);
    const stops = sessions.slice(0, -1).flatMap((session) => (lead ? [follow(session, lead)] : []));
    return () => {
      for (const stop of stops) stop();
    };
  }, [sessions]);
  // Other runs may need other axes.
  // biome-ignore lint/correctness/useExhaustiveDependencies: as above
  const axisOf = useMemo(() => {
    const axes = new Map<string, SharedAxis>();
    return (shown: string) => {
      const axis = axes.get(shown) ?? createSharedAxis();
      axes.set(shown, axis);
      return axis;
    };
  }, [sessions]);
  const [first] = sessions as readonly [Session];
  const other = useStore((sessions.at(-1) ?? first).run, ({ view }) => view);
  return (
    <div className="live-compare">
      {sessions.map((session, at) => (
        <SessionProvider key={names[at]} session={session}>
          <CompareColumn
            session={session}
            title={lesson.runs.find(({ name }) => name === names[at])?.title ?? names[at] ?? ""}
            show={show}
            frame={frame}
            axisOf={axisOf}
            other={other}
          />
        </SessionProvider>
      ))}
    </div>
  );
}

interface CompareColumnProps {
  readonly session: Session;
  readonly title: string;
  readonly show: readonly string[];
  readonly frame: Frame;
  readonly axisOf: (shown: string) => SharedAxis;
  readonly other: RunView | null;
}

function CompareColumn({ session, title, show, frame, axisOf, other }: CompareColumnProps) {
  const view = useStore(session.run, (run) => run.view);
  const beside = useMemo(() => (other && other !== view ? [other] : []), [other, view]);
  return (
    <section className="live-compared" aria-label={title}>
      <h2>
        <Line text={title} />
      </h2>
      <LiveView show={show} frame={frame} isNarrow shared={{ axisOf, beside }} />
    </section>
  );
}
