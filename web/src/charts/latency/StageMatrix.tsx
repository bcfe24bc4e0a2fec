import { classIdentity } from "../../ui/classes.ts";
import { Explained } from "../../ui/Explained.tsx";
import { fixed } from "../drawing/format.ts";
import { ClassHead } from "../frame/BarRow.tsx";
import { ClassMarker } from "../frame/ClassMarker.tsx";
import type { Stage, StageMatrixProps } from "../types.ts";
import { roundedToSum } from "./stageTable.ts";

/** Up to so many classes have a column each; more have a row each, or their names would not fit. */
const COLUMNS = 3;
/** The same where there are too many stages for the names of those to stand side by side. */
const NARROW_COLUMNS = 6;
const STAGES_IN_A_ROW = 4;

/** Where the time goes: stage by class, every cell a bar from a common zero with its number, one scale for all. */
export function StageMatrix(props: StageMatrixProps) {
  const columns = props.stages.length > STAGES_IN_A_ROW ? NARROW_COLUMNS : COLUMNS;
  return props.classes.length > columns ? <ByRow {...props} /> : <ByColumn {...props} />;
}

/** Below this largest total tenths of a microsecond are shown. */
const TENTHS_BELOW_US = 200;

/** Share of the longest bar that each value has, how a value is written, and what each cell says: a column adds up. */
function scaleOf({ classes, stages, totalsUs, inMs }: StageMatrixProps) {
  const largest = Math.max(0, ...stages.flatMap((stage) => stage.valuesUs.filter(Number.isFinite)));
  const decimals = inMs ? 2 : totalsUs.some((us) => us >= TENTHS_BELOW_US) ? 0 : 1;
  const columns = classes.map((_, i) =>
    roundedToSum(
      stages.map(({ valuesUs }) => valuesUs[i] ?? Number.NaN),
      (inMs ? 1000 : 1) / 10 ** decimals,
    ),
  );
  return {
    share: (us: number) => (Number.isFinite(us) && largest > 0 ? us / largest : 0),
    write: (us: number) => fixed(inMs ? us / 1000 : us, decimals),
    shownUs: (stage: number, classIndex: number) => columns[classIndex]?.[stage] ?? Number.NaN,
  };
}

function Caption({ statistic, inMs }: StageMatrixProps) {
  return (
    <caption className="visually-hidden">
      Time of a request by stage and class, {statistic}, in {inMs ? "milliseconds" : "microseconds"}
    </caption>
  );
}

function StageName({ name, hint }: Stage) {
  return (
    <Explained title={name} sentence={hint}>
      {name}
    </Explained>
  );
}

interface CellProps {
  readonly stages: readonly Stage[];
  readonly stage: number;
  readonly classIndex: number;
  readonly kindIndex: number;
  readonly scale: ReturnType<typeof scaleOf>;
}

function Cell({ stages, stage, classIndex, kindIndex, scale }: CellProps) {
  const us = stages[stage]?.valuesUs[classIndex] ?? Number.NaN;
  const width = `calc((100% - 44px) * ${scale.share(us).toFixed(4)})`;
  return (
    <td data-longest={stages[stage]?.isLongest[classIndex] || undefined}>
      <span>
        {Number.isFinite(us) && <i style={{ width, background: classIdentity(kindIndex).mark }} />}
        {scale.write(scale.shownUs(stage, classIndex))}
      </span>
    </td>
  );
}

function ByColumn(props: StageMatrixProps) {
  const { classes, stages, totalsUs } = props;
  const scale = scaleOf(props);
  return (
    <table className="stage-matrix">
      <Caption {...props} />
      <colgroup>
        <col />
        <col span={classes.length} />
      </colgroup>
      <thead>
        <tr>
          <td />
          {classes.map((item) => (
            <th key={item.name} scope="col" style={{ color: classIdentity(item.kindIndex).label }}>
              <span>
                <ClassMarker kindIndex={item.kindIndex} />
                <b title={item.name}>{item.name}</b>
              </span>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {stages.map((stage, at) => (
          <tr key={stage.id}>
            <th scope="row">
              <StageName {...stage} />
            </th>
            {classes.map((item, i) => (
              <Cell
                key={item.name}
                stages={stages}
                stage={at}
                classIndex={i}
                kindIndex={item.kindIndex}
                scale={scale}
              />
            ))}
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">Total</th>
          {classes.map((item, i) => (
            <td key={item.name}>{scale.write(totalsUs[i] ?? Number.NaN)}</td>
          ))}
        </tr>
      </tfoot>
    </table>
  );
}

function ByRow(props: StageMatrixProps) {
  const { classes, stages, totalsUs } = props;
  const scale = scaleOf(props);
  return (
    <table className="stage-matrix stages-across">
      <Caption {...props} />
      <thead>
        <tr>
          <td />
          {stages.map((stage) => (
            <th key={stage.id} scope="col">
              <StageName {...stage} />
            </th>
          ))}
          <th scope="col" className="stage-total">
            Total
          </th>
        </tr>
      </thead>
      <tbody>
        {classes.map((item, i) => (
          <tr key={item.name}>
            <ClassHead name={item.name} kindIndex={item.kindIndex} />
            {stages.map((stage, at) => (
              <Cell
                key={stage.id}
                stages={stages}
                stage={at}
                classIndex={i}
                kindIndex={item.kindIndex}
                scale={scale}
              />
            ))}
            <td className="stage-total">{scale.write(totalsUs[i] ?? Number.NaN)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
