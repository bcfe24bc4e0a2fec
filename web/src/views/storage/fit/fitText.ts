import { fixed, NOT_APPLICABLE, THIN } from "../../../charts/drawing/format.ts";
import type { FitParameter, FittedParameter, MeasuredJob } from "../../../run/fit.ts";
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
  const decimals = Math.max(0, Math.min(3, 2 - Math.floor(Math.log10(Math.abs(value) || 1))));
  return fixed(value, decimals);
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
    const place =
      of.path === file ? "" : of.path.startsWith(`${file}, `) ? of.path.slice(file.length + 2) : of.path;
    // Jobs that have the same said of the same option stand together.
    const [, job = place, option = ""] = /^(job ".*?"), (.*)$/.exec(place) ?? [];
    const key = JSON.stringify([option, of.reason, of.hint, of.severity]);
    const one = said.get(key) ?? { places: [], of: { ...of, path: option } };
    one.places.push(job);
    said.set(key, one);
  }
  return [...said].map(
    ([
      key,
      {
        places,
        of: { path, reason, hint, severity },
      },
    ]) => {
      const jobs = places.length > 1 ? `${fixed(places.length, 0)} jobs` : places[0];
      const place = [jobs, path].filter(Boolean).join(", ");
      return {
        key,
        text: `${place ? `${place} ` : "The file "}${reason}. ${hint}`,
        isWarning: severity === "warning",
        places: places.join(", "),
      };
    },
  );
}

export interface RemarkText {
  /** The same for remarks that differ in their places alone. */
  readonly key: string;
  readonly text: string;
  readonly isWarning: boolean;
  /** All that it is said of. */
  readonly places: string;
}

/** Warnings that are the same of several files, each once with their names, and what is left of each file. */
export function remarksOfFiles(files: readonly FileRemarks[]): {
  readonly shared: readonly RemarkText[];
  readonly own: readonly (readonly RemarkText[])[];
} {
  const all = files.map(({ file, remarks }) => remarkTexts(file, remarks));
  const named = new Map<string, string[]>();
  for (const [at, texts] of all.entries()) {
    for (const { key, isWarning } of texts) {
      if (isWarning) named.set(key, [...(named.get(key) ?? []), files[at]?.file ?? ""]);
    }
  }
  const isShared = ({ key }: RemarkText) => (named.get(key)?.length ?? 0) > 1;
  const first = new Map(
    all
      .flat()
      .filter(isShared)
      .map((of) => [of.key, of]),
  );
  const shared = [...first].map(([key, of]) => {
    const [option, reason, hint] = JSON.parse(key) as string[];
    const places = named.get(key)?.join(", ") ?? "";
    const text = `${places}: ${option ? `${option} ` : ""}${reason}. ${hint}`;
    return { ...of, text, places };
  });
  return { shared, own: all.map((texts) => texts.filter((of) => !isShared(of))) };
}

interface FileRemarks {
  readonly file: string;
  readonly remarks: readonly Diagnostic[];
}

/** What is said of the error of a drive: "mean error 4.0 %, p99 11 %". */
export const errorText = (mean: number | null, p99: number | null): string =>
  `mean error ${percentText(mean)}, p99 ${percentText(p99)}`;
