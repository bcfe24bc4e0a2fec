import { useRun, useSession } from "../../panels/context.tsx";
import { IconButton } from "../../ui/Button.tsx";
import type { Frame } from "../../ui/media.ts";
import { GUTTERS } from "../../workbench/layout.ts";
import { Clock, PlayButton, SpeedSelect } from "../../workbench/time/PlaybackBar.tsx";
import { Scrubber } from "../../workbench/time/Scrubber.tsx";

interface LessonBarProps {
  readonly frame: Frame;
  readonly mayRun: boolean;
  /** It stands still whatever is answered. */
  readonly isHeldBack: boolean;
}

/** Time of the run of a step. Before its question is answered it stands still. */
export function LessonBar({ frame, mayRun, isHeldBack }: LessonBarProps) {
  const session = useSession();
  const durationUs = useRun((run) => run.durationUs);
  const phase = useRun((run) => run.phase);
  const gutters = frame === "phone" ? { left: 8, right: 8 } : { left: 16, right: GUTTERS[frame].right - 96 };
  return (
    <section className="learn-bar" aria-label="Time" data-run-state={phase}>
      {mayRun ? (
        <>
          <PlayButton />
          <IconButton icon="toEnd" label="To the end of the run" onClick={() => session.seek(durationUs)} />
          <Scrubber gutters={gutters} axis={false} />
          <Clock />
          {frame === "desk" && <SpeedSelect />}
        </>
      ) : (
        <p className="note">
          {isHeldBack ? "The run is hidden with the answers." : "The run waits for your prediction."}
        </p>
      )}
    </section>
  );
}
