import { classIdentity } from "../ui/classes.ts";
import { Explained } from "../ui/Explained.tsx";
import { ClassHead } from "./BarRow.tsx";
import { ClassMarker } from "./ClassMarker.tsx";
import { fixed } from "./format.ts";
import type { Stage, StageMatrixProps } from "./types.ts";

/** Up to so many classes have a column each; more have a row each, or their names would not fit. */
const COLUMNS = 3;

/** Where the time goes: stage by class, every cell a bar from a common zero with its number, one scale for all. */
export function StageMatrix(props: StageMatrixProps) {
  return props.classes.length > COLUMNS ? <ByRow {...props} /> : <ByColumn {...props} />;
}

/** Share of the longest bar that each value has, and how a value is written. */
function scaleOf({ stages, inMs }: StageMatrixProps) {
  const largest = Math.max(0, ...stages.flatMap((stage) => stage.valuesUs.filter(Number.isFinite)));
  return {
    share: (us: number) => (Number.isFinite(us) && largest > 0 ? us / largest : 0),
    write: (us: number) => (inMs ? fixed(us / 1000, 2) : fixed(us, 0)),
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
  if (!hint) return name;
  return (
    <Explained title={name} sentence={hint}>
      {name}
    </Explained>
  );
}

interface CellProps {
  readonly us: number;
  readonly kindIndex: number;
  readonly scale: ReturnType<typeof scaleOf>;
}

function Cell({ us, kindIndex, scale }: CellProps) {
  const width = `calc((100% - 44px) * ${scale.share(us).toFixed(4)})`;
  return (
    <td>
      <span>
        {Number.isFinite(us) && <i style={{ width, background: classIdentity(kindIndex).mark }} />}
        {scale.write(us)}
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
        {stages.map((stage) => (
          <tr key={stage.name}>
            <th scope="row">
              <StageName {...stage} />
            </th>
            {classes.map((item, i) => (
              <Cell
                key={item.name}
                us={stage.valuesUs[i] ?? Number.NaN}
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
    <table className="stage-matrix">
      <Caption {...props} />
      <thead>
        <tr>
          <td />
          {stages.map((stage) => (
            <th key={stage.name} scope="col">
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
            {stages.map((stage) => (
              <Cell
                key={stage.name}
                us={stage.valuesUs[i] ?? Number.NaN}
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
