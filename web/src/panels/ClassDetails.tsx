import { percentileFigure } from "../run/latency.ts";
import type { Choice } from "../scenario/catalogue.ts";
import { withClassName, withoutClass } from "../scenario/classes.ts";
import { fieldAt, valueAt } from "../scenario/schema.ts";
import { followsDeadlines, transportOf } from "../scenario/transports.ts";
import { Button } from "../ui/Button.tsx";
import { Segmented } from "../ui/Segmented.tsx";
import { useEffectiveScenario, useExplanation, useRun, useScenario, useSession } from "./context.tsx";
import { NameField } from "./NameField.tsx";
import { PanelRows } from "./PanelRows.tsx";
import { ParameterRow } from "./ParameterRow.tsx";
import { classRows } from "./settingRows.ts";
import "./ClassDetails.css";

/** What a class has beside its row of the table: what it aims at, and the parameters of its transport. */
export default function ClassDetails({ index }: { readonly index: number }) {
  const shown = useEffectiveScenario();
  const explanation = useExplanation();
  const path = `classes[${index}]`;
  return (
    <div className="class-details">
      <PanelRows
        rows={classRows(shown, index, explanation)}
        special={{
          [`${path}.goal`]: <GoalRow index={index} />,
          [`${path}.latencyTargetUs`]: <LatencyTargetRow index={index} />,
          [`${path}.baseRttUs`]: <OwnRows index={index} />,
        }}
      />
    </div>
  );
}

/** The latency that a class aims at, or what holds in its place. */
function LatencyTargetRow({ index }: { readonly index: number }) {
  const path = `classes[${index}].latencyTargetUs`;
  const shown = useEffectiveScenario();
  const target = useExplanation().of(path);
  return (
    <>
      <ParameterRow path={path} />
      {target?.value === null && followsDeadlines(transportOf(shown, index)) && (
        <p className="row-note">Latency target: {target.from}.</p>
      )}
    </>
  );
}

/** What few change of a class: its name, its base RTT, and that it exists. */
function OwnRows({ index }: { readonly index: number }) {
  const session = useSession();
  const scenario = useScenario();
  return (
    <>
      <NameRow index={index} />
      <ParameterRow path={`classes[${index}].baseRttUs`} />
      {scenario.classes.length > 1 && (
        <div className="button-row">
          <Button icon="trash" onClick={() => session.edit(withoutClass(scenario, index))}>
            Delete {scenario.classes[index]?.name ?? ""}
          </Button>
        </div>
      )}
    </>
  );
}

function NameRow({ index }: { readonly index: number }) {
  const session = useSession();
  const scenario = useScenario();
  const name = scenario.classes[index]?.name ?? "";
  const refuse = (next: string) => {
    const taken = scenario.classes.some((item, i) => i !== index && item.name === next);
    if (next !== "" && !taken) return null;
    return `${next === "" ? "A class needs a name" : `Another class is called ${next}`}. It stays ${name}.`;
  };
  return (
    <NameField
      path={`classes[${index}].name`}
      value={name}
      refuse={refuse}
      onCommit={(next) => session.edit(withClassName(scenario, index, next))}
    />
  );
}

/** Time to aim at when a class has shown nothing yet, in round trips with empty queues. */
const FIRST_TARGET_RTTS = 10;

/** A choice of goal, as the catalogue has it. */
type GoalOption = Choice & { readonly value: "throughput" | "latency" };

/** A throughput share or a tail latency. Without a target yet, the latency it has now is the first one. */
function GoalRow({ index }: { readonly index: number }) {
  const session = useSession();
  const shown = useEffectiveScenario();
  const view = useRun((run) => run.view);
  const path = `classes[${index}]`;
  const goal = String(valueAt(shown, `${path}.goal`)) as "throughput" | "latency";
  const choose = (next: "throughput" | "latency") => {
    const changes = [{ path: `${path}.goal`, value: next as unknown }];
    if (next === "latency" && valueAt(shown, `${path}.latencyTargetUs`) === undefined) {
      const now = view
        ? percentileFigure(view, index, Number(valueAt(shown, `${path}.percentile`)))
        : Number.NaN;
      const first = Number.isFinite(now) ? now : FIRST_TARGET_RTTS * (view?.layout.baseRttUs ?? 100);
      changes.unshift({ path: `${path}.latencyTargetUs`, value: Number(first.toPrecision(2)) });
    }
    session.change(changes);
  };
  return (
    <div className="row" data-path={`${path}.goal`}>
      <div className="row-main">
        <span className="row-label">Goal</span>
        <Segmented
          label="Goal"
          value={goal}
          options={(fieldAt(`${path}.goal`, shown).options ?? []) as readonly GoalOption[]}
          onChange={choose}
        />
      </div>
    </div>
  );
}
