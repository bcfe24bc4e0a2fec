import { ClassMarker } from "../charts/frame/ClassMarker.tsx";
import { identityIndices } from "../run/identity.ts";
import { schedulerThat } from "../scenario/catalogue.ts";
import { SCHEDULER } from "../scenario/contracts.ts";
import { type Field, valueAt } from "../scenario/schema.ts";
import type { Scenario } from "../scenario/types.ts";
import { Button } from "../ui/Button.tsx";
import { classIdentity } from "../ui/classes.ts";
import { Explained } from "../ui/Explained.tsx";
import { MathSymbol } from "../ui/MathSymbol.tsx";
import { Select } from "../ui/Select.tsx";
import { Toggle } from "../ui/Toggle.tsx";
import { useEffectiveScenario, useSession } from "./context.tsx";
import { NumberField } from "./NumberField.tsx";
import { Panel } from "./Panel.tsx";

interface LadderPanelProps {
  readonly on: boolean;
  /** Amount, ends of the first two parts, last step, length of a step in milliseconds. */
  readonly steps: readonly number[];
  /** Group of each class, by number. */
  readonly groups: readonly number[];
  readonly onToggle: (on: boolean) => void;
  readonly onSteps: (steps: readonly number[]) => void;
  readonly onGroups: (groups: readonly number[]) => void;
}

interface Row {
  readonly title: string;
  readonly symbol?: string;
  readonly unit?: string;
  readonly sentence: string;
}

const ROWS: readonly Row[] = [
  {
    title: "Amount",
    symbol: "a",
    unit: "requests",
    sentence: "What the second part of the ladder adds to its step: t + a.",
  },
  {
    title: "First part ends",
    unit: "steps",
    sentence: "Up to this step of a burst the allowance is t, the number of the step.",
  },
  {
    title: "Second part ends",
    unit: "steps",
    sentence: "Up to this step the allowance is t + a; from the next one on 3 t − a.",
  },
  {
    title: "Last step",
    symbol: "ψ",
    unit: "steps",
    sentence: "From this step on the allowance grows no more.",
  },
  {
    title: "Step",
    unit: "ms",
    sentence: "Length of a step: how often shares are given out and bursts are looked at.",
  },
];

const field = ({ title, unit }: Row): Field => ({
  title,
  type: "integer",
  optional: false,
  minimum: 1,
  maximum: 10_000,
  live: false,
  ...(unit && { unit }),
});

/** The ladder of paper 5: how far a burst may go beyond the share of its tenant, the longer it lasts. */
export function LadderPanel({ on, steps, groups, onToggle, onSteps, onGroups }: LadderPanelProps) {
  const session = useSession();
  const shown = useEffectiveScenario();
  const identities = identityIndices(shown.classes.map(({ name }) => name));
  const asDrawn = simulated(shown, steps, groups);
  const runs = asDrawn.every(({ path, value }) => valueAt(shown, path) === value);
  const names = shown.classes.map((_, index) => ({ value: String(index), title: `Group ${index + 1}` }));
  return (
    <Panel id="ladder" title="Bursts of groups" note="paper 5">
      <div className="row-main">
        <label className="row-label" htmlFor="ladder-on">
          Show the ladder
        </label>
        <Toggle id="ladder-on" on={on} onChange={onToggle} />
      </div>
      {on && (
        <>
          {ROWS.map((row, at) => (
            <div className="row-main" key={row.title}>
              <span className="row-label">
                <Explained title={row.title} sentence={row.sentence}>
                  {row.title}
                </Explained>{" "}
                {row.symbol && <MathSymbol>{row.symbol}</MathSymbol>}
              </span>
              <NumberField
                label={row.title}
                field={field(row)}
                value={steps[at] ?? 1}
                onCommit={(value) => value !== null && onSteps(ordered(steps, at, value))}
              />
            </div>
          ))}
          {shown.classes.map(({ name }, index) => (
            <div className="row-main" key={name}>
              <span
                className="row-label ladder-tenant"
                style={{ color: classIdentity(identities[index] ?? 0).label }}
              >
                <ClassMarker kindIndex={identities[index] ?? 0} /> {name}
              </span>
              <Select
                aria-label={`Group of ${name}`}
                value={String(Math.min(groups[index] ?? 0, shown.classes.length - 1))}
                options={names}
                onChange={(value) =>
                  onGroups(groups.map((group, at) => (at === index ? Number(value) : group)))
                }
              />
            </div>
          ))}
          <p className="row-note">
            A tenant that asks for more than its share climbs a step in every step of time. It is given what
            its own group leaves, then what others leave, within its allowance.
          </p>
          {runs ? (
            <p className="row-note">The simulation runs this ladder.</p>
          ) : (
            <>
              <p className="row-note">
                This ladder is drawn alone. The simulation runs one where its scheduler is the burst ladder.
              </p>
              <Button onClick={() => session.change(asDrawn)}>Simulate this ladder</Button>
            </>
          )}
        </>
      )}
    </Panel>
  );
}

/** The changes that let the simulation schedule tenants by the ladder of the picture. */
function simulated(scenario: Scenario, steps: readonly number[], groups: readonly number[]) {
  const [amount = 1, first = 1, second = 1, end = 1, stepMs = 1] = steps;
  const ladder = { amount, first, second, end, stepUs: 1000 * stepMs };
  return [
    { path: SCHEDULER, value: schedulerThat(({ usesLadder }) => usesLadder).value },
    ...Object.entries(ladder).map(([name, value]) => ({ path: `storage.tenants.ladder.${name}`, value })),
    ...scenario.classes.map((_, index) => ({
      path: `classes[${index}].vxlanGroup`,
      value: (groups[index] ?? 0) + 1,
    })),
  ];
}

/** The steps with one changed; those of the ladder stay in order. */
function ordered(steps: readonly number[], at: number, value: number): readonly number[] {
  const isStep = (place: number) => place >= 1 && place <= 3;
  return steps.map((step, place) => {
    if (place === at) return value;
    if (!isStep(at) || !isStep(place)) return step;
    return place < at ? Math.min(step, value) : Math.max(step, value);
  });
}
