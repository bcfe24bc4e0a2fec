import type { StudyCell, StudyPoint, StudyTable, StudyValue } from "../../generated/answers.d.ts";
import { factorName, numberText, spokenFactor, unitText, valueText } from "./studyText.ts";

/** The names of the columns of a study's table: what varies, and of each measure its mean and interval. */
export const tableHeaders = ({ factors, measures }: StudyTable): readonly string[] => [
  ...factors.map((factor) => named(factorName(factor), factor.unit)),
  "seeds",
  ...measures.flatMap(({ title, unit }) => [named(title, unit), "low", "high"]),
  "refused",
];

const named = (name: string, unit: string | null): string => (unit ? `${name} (${unitText(unit)})` : name);

const number = (value: number | null): number | string => value ?? "";

/** A row for every point. */
export function* tableRows({ factors, points }: StudyTable): Iterable<readonly (string | number)[]> {
  for (const { values, seeds, cells, refused } of points) {
    yield [
      ...values.map((value, at) => {
        const factor = factors[at];
        return typeof value === "number" || !factor ? (value as string | number) : valueText(factor, value);
      }),
      seeds,
      ...cells.flatMap(({ mean, low, high }) => [number(mean), number(low), number(high)]),
      refused ?? "",
    ];
  }
}

/** "K 40 packets, Weight 3" */
export const pointText = ({ factors }: StudyTable, { values }: StudyPoint): string =>
  factors
    .map((factor, at) => `${spokenFactor(factor)} ${valueText(factor, values[at] as StudyValue)}`)
    .join(", ");

/** The interval of a cell, in the unit that its mean is told in; empty where one seed, or none, gives none. */
export function intervalText(unit: string | null, { low, high }: StudyCell): string {
  if (low === null || high === null) return "";
  const [from, to] = [numberText(unit, low), numberText(unit, high)];
  const tail = /\s\S+$/.exec(to)?.[0] ?? "";
  return tail !== "" && from.endsWith(tail) ? `${from.slice(0, -tail.length)} to ${to}` : `${from} to ${to}`;
}
