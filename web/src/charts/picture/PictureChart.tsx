import { line } from "d3-shape";
import { useId } from "react";
import type { Picture, PictureSeries } from "../../generated/answers.d.ts";
import { useWidth } from "../../ui/useWidth.ts";
import { crisp, type Frame, TICK } from "../drawing/frame.ts";
import { pushApart } from "../drawing/pushApart.ts";
import { SvgAxis, SvgGrid } from "../drawing/SvgFrame.tsx";
import { MarkerForm } from "../frame/ClassMarker.tsx";
import {
  axisText,
  fitted,
  groupLabels,
  groupRoom,
  LINE,
  pictureFrame,
  type SeriesStyle,
  sentenceOf,
  stylesOf,
  tableOf,
} from "./picture.ts";
import "./PictureChart.css";

interface PictureChartProps {
  readonly picture: Picture;
  /** On a card or a list: no titles, no table, few ticks. */
  readonly small?: boolean;
  /** Of its drawing, in CSS pixels; large or small by default. */
  readonly height?: number;
  /** What it shows, where the words around it do not say so. */
  readonly title?: string;
}

const SMALL = 112;
const LARGE = 320;
/** Distance of the names at the ends of lines. */
const PITCH = 15;

/** A picture of results in the axes of its source: ours filled, what was published hollow, 95 % intervals as whiskers. */
export function PictureChart({ picture, small = false, title = "", ...of }: PictureChartProps) {
  const [box, width] = useWidth();
  const { height = small ? SMALL : LARGE } = of;
  const frame = pictureFrame(picture, width, height, small);
  const styles = stylesOf(picture.series);
  const words = `${title ? `${title}. ` : ""}${sentenceOf(picture)}`;
  return (
    <figure className={small ? "picture picture-small" : "picture"}>
      {!small && <Names picture={picture} styles={styles} />}
      <div ref={box}>
        <svg width={width} height={height} role="img" aria-label={words}>
          <Axes picture={picture} frame={frame} height={height} small={small} />
          {picture.kind === "bars" ? (
            <Bars picture={picture} frame={frame} styles={styles} small={small} />
          ) : (
            <Lines picture={picture} frame={frame} styles={styles} small={small} />
          )}
        </svg>
      </div>
      {!small && <PictureTable picture={picture} />}
    </figure>
  );
}

/** What is measured, and whose bars are which; lines have their names at their ends. */
function Names({ picture, styles }: { readonly picture: Picture; readonly styles: readonly SeriesStyle[] }) {
  const { kind, y, series } = picture;
  const starts = kind !== "tail" && !y.log && (y.min ?? 0) > 0 ? `axis starts at ${y.min}` : "";
  const marks = series.some(({ published = [] }) => published.length > 0);
  const intervals = series.some(({ halfWidths = [] }) => halfWidths.some((half) => half > 0));
  return (
    <figcaption>
      <b>{kind === "tail" ? "Share of requests that take longer" : y.title}</b>{" "}
      <span className="note">{[kind === "tail" ? "" : y.unit, starts].filter(Boolean).join(", ")}</span>
      {kind === "bars" &&
        series.length > 1 &&
        series.map(({ title }, i) => (
          <span key={title} className="picture-name">
            <svg width="12" height="12" viewBox="0 0 12 12" aria-hidden="true">
              <Key style={styles[i] as SeriesStyle} of={series[i] as PictureSeries} />
            </svg>
            {title}
          </span>
        ))}
      {(marks || intervals) && (
        <span className="note picture-key">
          {[marks && "hollow: published", intervals && "whisker: 95 % interval"].filter(Boolean).join(" · ")}
        </span>
      )}
    </figcaption>
  );
}

function Key({ style, of }: { readonly style: SeriesStyle; readonly of: PictureSeries }) {
  if (of.class !== null) return <MarkerForm kindIndex={style.index} />;
  return <rect x="1.5" y="1.5" width="9" height="9" className="picture-bar" {...barPaint(style, of)} />;
}

interface PartProps {
  readonly picture: Picture;
  readonly frame: Frame;
  readonly styles: readonly SeriesStyle[];
  readonly small: boolean;
}

interface AxesProps extends Omit<PartProps, "styles"> {
  readonly height: number;
}

function Axes({ picture, frame, height, small }: AxesProps) {
  const { left, right, x, y } = frame;
  const isBars = picture.kind === "bars";
  const title = isBars ? picture.x.title : axisText(picture.x);
  return (
    <g>
      <SvgGrid box={frame} axis={y} />
      {(picture.references ?? []).map((level) => (
        <g key={level.title}>
          <path className="picture-reference" d={`M${left} ${crisp(y.scale(level.y))}H${right}`} />
          {!small && (
            <text
              x={isBars ? right : left + 4}
              y={y.scale(level.y) - 4}
              textAnchor={isBars ? "end" : "start"}
            >
              {level.title}
            </text>
          )}
        </g>
      ))}
      <SvgAxis box={frame} axis={isBars ? null : x} />
      {isBars && <GroupNames frame={frame} />}
      {!small && title && (
        <text x={(left + right) / 2} y={height - 6} textAnchor="middle">
          {title}
        </text>
      )}
    </g>
  );
}

/** Names of groups of bars, on up to two lines. */
function GroupNames({ frame: { left, right, bottom, x } }: { readonly frame: Frame }) {
  const names = x.ticks.map(({ label }) => label);
  const shown = groupLabels(names, groupRoom(left, right, names.length));
  return x.ticks.map(({ value, label }) => (
    <text key={value} y={bottom + TICK.below} textAnchor="middle">
      <title>{label}</title>
      {shown[value]?.map((line, i) => (
        <tspan key={line} x={x.scale(value)} dy={i === 0 ? 0 : LINE}>
          {line}
        </tspan>
      ))}
    </text>
  ));
}

/** As attributes, which forced colours win over. */
const barPaint = ({ index, mark, opacity }: SeriesStyle, { class: name }: PictureSeries) =>
  name !== null
    ? { fill: mark, stroke: mark, opacity }
    : { fill: ["var(--t2)", "var(--line2)", "var(--s3)"][index % 3], stroke: "var(--t2)" };

function Bars({ picture: { series }, frame, styles, small }: PartProps) {
  const { bottom } = frame;
  const [x, y] = [frame.x.scale, frame.y.scale];
  const group = x(1) - x(0);
  const width = Math.max(2, Math.min(small ? 16 : 28, (group * 0.78) / Math.max(1, series.length) - 1));
  const place = (at: number, i: number) => x(at) + (i - (series.length - 1) / 2) * (width + 1);
  const zero = Math.min(bottom, y(0));
  return (
    <g>
      {series.map((item, i) => (
        <g key={item.title}>
          {item.points.map(([at, value], point) => {
            const half = item.halfWidths?.[point] ?? 0;
            const [middle, height] = [place(at, i), y(value)];
            return (
              <g key={at}>
                <rect
                  className="picture-bar"
                  {...barPaint(styles[i] as SeriesStyle, item)}
                  x={middle - width / 2}
                  y={Math.min(zero, height)}
                  width={width}
                  height={Math.max(0.5, Math.abs(zero - height))}
                />
                {!small && half > 0 && <Whisker x={middle} from={y(value - half)} to={y(value + half)} />}
              </g>
            );
          })}
          {(item.published ?? []).map(([at = 0, ...ends]) => (
            <Published key={at} x={place(at, i)} ends={ends.map((end) => y(end))} width={width} />
          ))}
        </g>
      ))}
    </g>
  );
}

function Lines({ picture: { series }, frame, styles, small }: PartProps) {
  const { top, bottom, right } = frame;
  const [x, y] = [frame.x.scale, frame.y.scale];
  const path = line<readonly [number, number]>(
    ([at]) => x(at),
    ([, value]) => y(value),
  );
  const ends = series.map(({ points }) => y(points.at(-1)?.[1] ?? 0));
  const places = pushApart(ends, PITCH, top + 4, bottom);
  return (
    <g>
      {series.map(({ title, points, halfWidths = [], published = [], model }, i) => {
        const { mark, label, dash, width, opacity, index } = styles[i] as SeriesStyle;
        const many = points.length > 20;
        return (
          <g key={title}>
            <path
              className="picture-line"
              d={path(points as [number, number][]) ?? ""}
              stroke={model ? "var(--ink)" : mark}
              strokeWidth={width}
              opacity={model ? 0.75 : opacity}
              strokeDasharray={model ? undefined : dash.join(" ")}
            />
            {points.map(([at, value], point) => {
              const half = halfWidths[point] ?? 0;
              return (
                <g key={at}>
                  {!small && half > 0 && <Whisker x={x(at)} from={y(value - half)} to={y(value + half)} />}
                  {!many && !model && (
                    <g transform={`translate(${x(at) - 6} ${y(value) - 6})`}>
                      <MarkerForm kindIndex={index} colour={mark} />
                    </g>
                  )}
                </g>
              );
            })}
            {published.map(([at = 0, ...values]) => (
              <Published key={at} x={x(at)} ends={values.map((value) => y(value))} width={small ? 6 : 8} />
            ))}
            {!small && (
              <g>
                <path className="picture-lead" d={`M${right + 2} ${ends[i]}L${right + 8} ${places[i]}`} />
                {!model && (
                  <g transform={`translate(${right + 10} ${(places[i] as number) - 6})`}>
                    <MarkerForm kindIndex={index} colour={mark} />
                  </g>
                )}
                <text x={right + 26} y={(places[i] as number) + 4} className="picture-label" fill={label}>
                  <title>{title}</title>
                  {fitted(title, 102)}
                </text>
              </g>
            )}
          </g>
        );
      })}
    </g>
  );
}

interface WhiskerProps {
  readonly x: number;
  readonly from: number;
  readonly to: number;
}

/** A 95 % interval. */
function Whisker({ x, from, to }: WhiskerProps) {
  return <path className="picture-whisker" d={`M${x - 3} ${from}h6M${x} ${from}V${to}M${x - 3} ${to}h6`} />;
}

/** A published value, or the range that was published. */
function Published({
  x,
  ends,
  width,
}: {
  readonly x: number;
  readonly ends: readonly number[];
  readonly width: number;
}) {
  const [low = 0, high = low] = ends;
  if (low === high)
    return <circle className="picture-published" cx={x} cy={low} r={Math.min(3.5, width / 2 + 1)} />;
  const half = Math.min(4, width / 2 + 1);
  return (
    <rect
      className="picture-published picture-range"
      x={x - half}
      y={Math.min(low, high)}
      width={2 * half}
      height={Math.max(2, Math.abs(low - high))}
      rx="3"
    />
  );
}

/** The same in numbers. */
function PictureTable({ picture }: { readonly picture: Picture }) {
  const { headers, rows } = tableOf(picture);
  const id = useId();
  return (
    <details className="picture-table">
      <summary id={id}>The picture in numbers</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrolls with the keys */}
      <section tabIndex={0} aria-labelledby={id}>
        <table>
          <thead>
            <tr>
              {headers.map((header) => (
                <th key={header} scope="col">
                  {header}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((cells, row) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: rows have no name of their own
              <tr key={row}>
                {cells.map((cell, i) => (
                  <td key={headers[i]}>{cell}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </details>
  );
}
