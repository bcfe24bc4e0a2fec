import { fixed, formatDuration } from "../../charts/drawing/format.ts";
import type { StudyRunsState } from "../../engine/campaign/study/studyRuns.ts";
import { formatField, shownUnit } from "../../scenario/units.ts";
import { aboutTime } from "../../workbench/aboutTime.ts";

/** "0.4 GB" */
export function bytesText(bytes: number): string {
  const { unit, factor } = shownUnit("bytes", bytes);
  return `${formatField(Number((bytes / factor).toPrecision(2)))} ${unit}`;
}

const counted = (count: number, what: string): string =>
  `${fixed(count, 0)} ${what}${count === 1 ? "" : "s"}`;

/** "112 runs of 200 ms: about 20 s on 6 workers, 0.4 GB of memory." */
export function costText(
  { cost, runs, workers, estimateSeconds, kept }: StudyRunsState,
  durationUs: number,
): string {
  if (!cost) return "";
  const time =
    estimateSeconds === null ? "" : `${aboutTime(1000 * estimateSeconds)} on ${counted(workers, "worker")}, `;
  const most = cost.maxRuns > cost.runs ? fixed(cost.maxRuns, 0) : null;
  const many = cost.isUsual
    ? `About ${counted(cost.runs, "run")}${most === null ? "" : `, ${most} at most,`}`
    : `${fixed(cost.runs, 0)}${most === null ? "" : ` to ${most}`} runs`;
  const memory = `${bytesText(cost.memoryBytes * Math.max(1, workers))} of memory`;
  const here = runs.kept > 0 ? ` ${counted(runs.kept, "result")} of them are here already.` : "";
  const keeps =
    kept.fault === null
      ? ` Their results take ${bytesText(cost.keptBytes)} in this browser.`
      : ` ${kept.fault}`;
  return `${many} of ${formatDuration(durationUs)}: ${time}${memory}.${here}${keeps} The page stays usable.`;
}

/** "Seeds 42 to 49, the same at each value, so differences come from K alone." */
export function seedsText(
  first: number,
  count: number,
  names: readonly string[],
  within: number | null,
): string {
  const seeds = count === 1 ? `Seed ${first}` : `Seeds ${first} to ${first + count - 1}`;
  const [name] = names;
  const what = names.length === 1 && name ? `${name} alone` : "what varies alone";
  const one = count === 1 ? " One seed gives no interval." : "";
  const more = within === null ? "" : ` More follow where the interval is wider than ±${within} %.`;
  return `${seeds}, the same at each value, so differences come from ${what}.${one}${more}`;
}
