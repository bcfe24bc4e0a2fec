import type { FitParameter } from "../../../answers/fit.ts";
import { decimalsFor, fixed, NOT_APPLICABLE, THIN } from "../../../charts/drawing/format.ts";
import type { FittedParameter, MeasuredJob } from "../../../generated/answers.d.ts";
import type { Diagnostic } from "../../../scenario/types.ts";

/** A job with its queue depth: "randread-4k QD32"; with how many clones where that is more than one. */
export const depthText = ({ iodepth, numjobs }: MeasuredJob): string =>
  numjobs > 1 ? `${fixed(iodepth, 0)}×${fixed(numjobs, 0)}` : fixed(iodepth, 0);

export const jobText = (job: MeasuredJob): string => `${job.name} QD${depthText(job)}`;

export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${fixed(count, 0)} ${count === 1 ? one : many}`;

/** An error in per cent with its sign. */
export const signedPercent = (percent: number | null): string =>
  percent === null
    ? NOT_APPLICABLE
    : `${percent > 0 ? "+" : ""}${fixed(percent, Math.abs(percent) < 10 ? 1 : 0)}`;

export const percentText = (percent: number | null): string =>
  percent === null ? NOT_APPLICABLE : `${fixed(percent, percent < 10 ? 1 : 0)}${THIN}%`;

/** A number to three digits, without a fraction from a hundred on. */
export function digits(value: number): string {
  return fixed(value, Math.min(3, decimalsFor(value, 3)));
}

/** The unit in which a value is read, and what it is divided by. */
function scaleOf({ unit }: FitParameter, value: number): readonly [divisor: number, unit: string] {
  if (unit === "us") return value >= 10_000 ? [1000, "ms"] : [1, "µs"];
  if (unit === "bytes") return value >= 1e9 ? [1e9, "GB"] : value >= 1e6 ? [1e6, "MB"] : [1e3, "kB"];
  return unit === "" ? [0.01, "%"] : [1, unit];
}

/** A value in a unit that suits it. */
export function valueText(parameter: FitParameter): { readonly value: string; readonly unit: string } {
  const [divisor, unit] = scaleOf(parameter, parameter.value);
  return { value: digits(parameter.value / divisor), unit };
}

/** The interval in the unit of the value: half of it, or its ends where one is much farther from the value than the other. */
export function intervalText(parameter: FittedParameter): string {
  const { value, low, high } = parameter;
  const [divisor] = scaleOf(parameter, value);
  const [below, above] = [value - low, high - value];
  const isEven = Math.max(below, above) <= UNEVEN * Math.min(below, above);
  return isEven
    ? `± ${digits((high - low) / 2 / divisor)}`
    : `${digits(low / divisor)} to ${digits(high / divisor)}`;
}

/** An end of an interval that is so many times as far from the value as the other makes it uneven. */
const UNEVEN = 1.5;

/** What the engine says of a file or of jobs in it, as sentences, each once. The file stands above them. */
export function remarkTexts(file: string, remarks: readonly Diagnostic[]): readonly RemarkText[] {
  const said = new Map<string, { places: string[]; of: Diagnostic }>();
  for (const of of remarks) {
    const { job, option } = placeOf(file, of);
    const key = keyOf(file, of);
    const one = said.get(key) ?? { places: [], of: { ...of, path: option } };
    one.places.push(job);
    said.set(key, one);
  }
  return [...said.values()].map(({ places, of }) => textOf(places, places.length > 1 ? "jobs" : "", of));
}

/** Where a remark is: in a job, or at another place of a file, and at an option. */
function placeOf(file: string, { path }: Diagnostic): { readonly job: string; readonly option: string } {
  const place = path === file ? "" : path.startsWith(`${file}, `) ? path.slice(file.length + 2) : path;
  const [, job = place, option = ""] = /^(job ".*?"), (.*)$/.exec(place) ?? [];
  return { job, option };
}

/** Remarks with the same key say the same of the same option. */
const keyOf = (file: string, of: Diagnostic): string =>
  JSON.stringify([placeOf(file, of).option, of.reason, of.hint, of.severity]);

function textOf(
  places: readonly string[],
  many: string,
  { path, reason, hint, severity }: Diagnostic,
): RemarkText {
  const first = many ? `${fixed(places.length, 0)} ${many}` : places[0];
  const place = [first, path].filter(Boolean).join(", ");
  return {
    text: `${place ? `${place} ` : "The file "}${reason}. ${hint}`,
    isWarning: severity === "warning",
    places: places.join(", "),
  };
}

/** A file, and what the engine says of it. */
interface Remarked {
  readonly file: string;
  readonly remarks: readonly Diagnostic[];
}

/** Warnings that several files share, each once, and the remarks of each file without them. */
export function sharedRemarks(all: readonly Remarked[]): {
  readonly shared: readonly RemarkText[];
  readonly own: (file: string) => readonly Diagnostic[];
} {
  const files = new Map<string, { names: Set<string>; of: Diagnostic }>();
  for (const { file, remarks } of all) {
    for (const of of remarks.filter(({ severity }) => severity === "warning")) {
      const one = files.get(keyOf(file, of)) ?? {
        names: new Set(),
        of: { ...of, path: placeOf(file, of).option },
      };
      one.names.add(file);
      files.set(keyOf(file, of), one);
    }
  }
  const isShared = (key: string) => (files.get(key)?.names.size ?? 0) > 1;
  return {
    shared: [...files]
      .filter(([key]) => isShared(key))
      .map(([, { names, of }]) => textOf([...names], "files", of)),
    own: (file) =>
      all.find((one) => one.file === file)?.remarks.filter((of) => !isShared(keyOf(file, of))) ?? [],
  };
}

export interface RemarkText {
  readonly text: string;
  readonly isWarning: boolean;
  /** All that it is said of. */
  readonly places: string;
}

/** What is said of the error of a drive: "mean error 4.0 %, p99 11 %". */
export const errorText = (mean: number | null, p99: number | null): string =>
  `mean error ${percentText(mean)}, p99 ${percentText(p99)}`;
