import { percentileFigure } from "../run/latency.ts";
import type { Choice } from "../scenario/catalogue.ts";
import { withClassName, withoutClass } from "../scenario/classes.ts";
import { fieldAt, valueAt } from "../scenario/schema.ts";
import { followsDeadlines, followsQuality, transportOf } from "../scenario/transports.ts";
import { Button } from "../ui/Button.tsx";
import { Segmented } from "../ui/Segmented.tsx";
import { useEffectiveScenario, useExplanation, useRun, useScenario, useSession } from "./context.tsx";
import { Disclosure } from "./Disclosure.tsx";
import { NameField } from "./NameField.tsx";
import { ParameterRow } from "./ParameterRow.tsx";
import { noDevices } from "./SettingsPanels.tsx";
import { hasSubclasses, labelRows } from "./settingRows.ts";
import { TransportRows } from "./TransportRows.tsx";
import "./ClassDetails.css";

/** What a class has beside its row of the table: what it aims at, and the parameters of its transport. */
export function ClassDetails({ index }: { readonly index: number }) {
  const session = useSession();
  const shown = useEffectiveScenario();
  const scenario = useScenario();
  const name = scenario.classes[index]?.name ?? "";
  const transport = transportOf(shown, index);
  const path = `classes[${index}]`;
  const explanation = useExplanation();
  // Without devices the panel of storage says so: a row more would be one without effect.
  const hasDevices = !noDevices(explanation);
  const target = explanation.of(`${path}.latencyTargetUs`);
  return (
    <div className="class-details">
      {followsQuality(transport) && <GoalRow index={index} />}
      <ParameterRow path={`${path}.latencyTargetUs`} />
      {target?.value === null && followsDeadlines(transport) && (
        <p className="row-note">Latency target: {target.from}.</p>
      )}
      {followsQuality(transport) && <ParameterRow path={`${path}.percentile`} />}
      <ParameterRow path={`${path}.priority`} />
      {hasSubclasses(shown, transport) && <ParameterRow path={`${path}.urgentSubclass`} />}
      {hasDevices && <ParameterRow path={`${path}.nvmePriority`} />}
      <TransportRows prefix={path} transports={[transport]} />
      <Disclosure title="Labels of packets">
        {labelRows(index, hasDevices).map((label) => (
          <ParameterRow key={label} path={label} />
        ))}
      </Disclosure>
      <Disclosure title="Rename, base RTT, delete">
        <NameRow index={index} />
        <ParameterRow path={`${path}.baseRttUs`} />
        {scenario.classes.length > 1 && (
          <div className="button-row">
            <Button icon="trash" onClick={() => session.edit(withoutClass(scenario, index))}>
              Delete {name}
            </Button>
          </div>
        )}
      </Disclosure>
    </div>
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
