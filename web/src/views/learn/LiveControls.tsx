import { useStore } from "zustand";
import { useEffectiveScenario } from "../../panels/context.tsx";
import { ParameterRow } from "../../panels/ParameterRow.tsx";
import { ThresholdRow } from "../../panels/SettingsPanels.tsx";
import { THRESHOLD } from "../../panels/settingRows.ts";
import { fieldAt } from "../../scenario/schema.ts";
import { firstOf } from "../../scenario/transports.ts";
import type { Scenario } from "../../scenario/types.ts";
import { Button } from "../../ui/Button.tsx";
import { Icon } from "../../ui/Icon.tsx";
import type { Control, Lesson, LessonStep } from "../../workbench/lesson/lesson.ts";
import { Line } from "../../workbench/lesson/Markup.tsx";
import type { Player } from "./player.ts";

interface LiveControlsProps {
  readonly step: LessonStep;
  readonly lesson: Lesson;
  readonly player: Player;
  /** Opens the run in Explore; null where that is locked. */
  readonly onExplore: (() => void) | null;
}

/** Which run it is, and the controls that the step leaves free; all others are locked, and this says so. */
export function LiveControls({ step, lesson, player, onExplore }: LiveControlsProps) {
  const shown = useStore(player.store, (state) => state.step);
  const name = player.runOf(shown);
  const title = lesson.runs.find((run) => run.name === name)?.title ?? null;
  const controls = step.kind === "explore" || step.kind === "challenge" ? step.controls : [];
  return (
    <header className="live-head" data-controls={controls.length || undefined}>
      {controls.length > 0 ? (
        <div className="live-controls">
          {controls.map((control) => (
            <FreeControl key={control.path} control={control} />
          ))}
        </div>
      ) : (
        <h2>{step.kind === "compare" ? "Two runs in step" : <Line text={title ?? "Live view"} />}</h2>
      )}
      <div className="live-about">
        <span className="note">
          {controls.length > 0 ? (
            <>
              <Icon name="lock" size={13} /> other controls are locked in this step
            </>
          ) : (
            "live view, same engine as Explore"
          )}
        </span>
        {onExplore && (
          <Button look="link" onClick={onExplore}>
            Open in Explore
          </Button>
        )}
      </div>
    </header>
  );
}

function FreeControl({ control: { path, title, min, max } }: { readonly control: Control }) {
  const shown = useEffectiveScenario();
  const bounds = { ...(min != null && { min }), ...(max != null && { max }) };
  const props = { bounds, title: title ?? titleOf(path, shown) };
  return path === THRESHOLD ? <ThresholdRow {...props} /> : <ParameterRow path={path} slider {...props} />;
}

/** The title of a field; behind the name of the class where it is one of a class. */
function titleOf(path: string, scenario: Scenario): string {
  const { title } = fieldAt(firstOf(path), scenario);
  const [, place] = /^classes\[(\d+)\]/.exec(path) ?? [];
  const name = place === undefined ? undefined : scenario.classes[Number(place)]?.name;
  return name === undefined ? title : `${name}: ${title}`;
}
