import { percentileFigure } from "../charts/latency.ts";
import { withClassName, withoutClass } from "../scenario/classes.ts";
import { missingTarget } from "../scenario/effect.ts";
import { valueAt } from "../scenario/schema.ts";
import { followsQuality, transportOf } from "../scenario/transports.ts";
import { Button } from "../ui/Button.tsx";
import { Segmented } from "../ui/Segmented.tsx";
import { useDocument, useRun, useSession, useShown } from "./context.tsx";
import { Fold } from "./Fold.tsx";
import { ParameterRow } from "./ParameterRow.tsx";
import { TransportRows } from "./TransportRows.tsx";

/** What a class has beside its row of the table: what it aims at, and the parameters of its transport. */
export function ClassDetails({ index }: { readonly index: number }) {
  const session = useSession();
  const shown = useShown();
  const document = useDocument();
  const baseRttUs = useRun((run) => run.view?.layout.baseRttUs);
  const name = document.classes[index]?.name ?? "";
  const transport = transportOf(shown, index);
  const path = `classes[${index}]`;
  const missing = missingTarget(shown, index);
  return (
    <div className="class-details">
      {followsQuality(transport) && <GoalRow index={index} />}
      <ParameterRow path={`${path}.latencyTargetUs`} placeholder="none" />
      {missing && <p className="row-note">{missing}</p>}
      {followsQuality(transport) && <ParameterRow path={`${path}.percentile`} />}
      <ParameterRow path={`${path}.priority`} />
      <TransportRows prefix={path} transports={[transport]} />
      <Fold title="Name, round trip, removal">
        <NameRow index={index} />
        <ParameterRow path={`${path}.baseRttUs`} fallback={baseRttUs} />
        {document.classes.length > 1 && (
          <div className="button-row">
            <Button icon="trash" onClick={() => session.edit(withoutClass(document, index))}>
              Remove {name}
            </Button>
          </div>
        )}
      </Fold>
    </div>
  );
}

function NameRow({ index }: { readonly index: number }) {
  const session = useSession();
  const document = useDocument();
  const name = document.classes[index]?.name ?? "";
  const rename = (next: string) => {
    const taken = document.classes.some((item, i) => i !== index && item.name === next);
    if (next !== "" && next !== name && !taken) session.edit(withClassName(document, index, next));
  };
  return (
    <label className="row-main">
      <span className="row-label">Name</span>
      <input
        className="text-field"
        defaultValue={name}
        maxLength={40}
        onBlur={(event) => rename(event.target.value.trim())}
        onKeyDown={(event) => event.key === "Enter" && rename(event.currentTarget.value.trim())}
      />
    </label>
  );
}

/** Time to aim at when a class has shown nothing yet, in round trips with empty queues. */
const FIRST_TARGET_RTTS = 10;

/** Its share of the throughput or a tail latency. Without a target yet, the latency it has now is the first one. */
function GoalRow({ index }: { readonly index: number }) {
  const session = useSession();
  const shown = useShown();
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
          options={[
            { value: "throughput", title: "Its share" },
            { value: "latency", title: "Tail latency" },
          ]}
          onChange={choose}
        />
      </div>
    </div>
  );
}
