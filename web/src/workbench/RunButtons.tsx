import { Button } from "../ui/Button.tsx";

/** Runs that can be paused, resumed and cancelled. */
interface Runs {
  pause(): void;
  resume(): void;
  cancel(): void;
}

interface RunButtonsProps {
  readonly runs: Runs;
  readonly isPaused: boolean;
  /** The label of the button that cancels. */
  readonly cancel?: string;
}

/** Pauses, resumes and cancels the runs of a campaign. */
export function RunButtons({ runs, isPaused, cancel = "Cancel" }: RunButtonsProps) {
  return (
    <>
      {isPaused ? (
        <Button look="primary" icon="play" onClick={() => runs.resume()}>
          Resume
        </Button>
      ) : (
        <Button onClick={() => runs.pause()}>Pause</Button>
      )}
      <Button onClick={() => runs.cancel()}>{cancel}</Button>
    </>
  );
}
