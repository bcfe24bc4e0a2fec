import { unitName } from "../scenario/check.ts";
import { fieldAt } from "../scenario/schema.ts";
import type { Change, Scenario } from "../scenario/types.ts";
import { formatField, shownUnit } from "../scenario/units.ts";

/** A recorded change in a few words: "K 40 packets", "High: DCTCP", "Low offered 60 Gb/s". */
export function describeChange(document: Scenario, change: Change): string {
  const field = fieldAt(change.path, document);
  const [, list, at] = /^(classes|workloads)\[(\d+)\]/.exec(change.path) ?? [];
  const item =
    list === "classes" ? document.classes[Number(at)]?.name : document.workloads[Number(at)]?.class;
  const option = field.options?.find((candidate) => candidate.value === change.value)?.title;
  if (option !== undefined) return item ? `${item}: ${option}` : `${field.title} ${option}`;
  const name = item ? `${item} ${field.title.toLowerCase()}` : (field.symbol ?? field.title);
  if (typeof change.value !== "number") return `${name} ${change.value ?? "empty"}`;
  const unit = shownUnit(field.unit, change.value);
  return `${name} ${formatField(change.value / unit.factor)} ${unitName(unit.unit)}`.trim();
}
