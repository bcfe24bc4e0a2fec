/** The sections of documents: their fields of the first level. Those that two documents share are mostly the same objects. */

type Fields = Readonly<Record<string, unknown>>;

const isSame = (one: unknown, other: unknown): boolean =>
  one === other || JSON.stringify(one) === JSON.stringify(other);

/** Names of the sections in which one document differs from another. */
export function differing(one: object, other: object): string[] {
  const [before, after] = [one as Fields, other as Fields];
  return namesOf(before, after).filter((name) => !isSame(before[name], after[name]));
}

/**
 * An edit that was made on one value, made on another: each field, at whatever depth, is that of `next` where the edit changed it, and
 * that of `value` elsewhere. Lists of another length are one value.
 */
export function rebased<T>(next: T, base: T, value: T): T {
  if (base === value) return next;
  if (isSame(next, base)) return value;
  if (!isAlike(next, base) || !isAlike(next, value)) return next;
  const [from, to, onto] = [base as Fields, next as Fields, value as Fields];
  const result: Record<string, unknown> = Array.isArray(value) ? ([...value] as never) : { ...onto };
  for (const name of namesOf(from, to)) {
    const field = rebased(to[name], from[name], onto[name]);
    if (field === undefined) delete result[name];
    else result[name] = field;
  }
  return result as T;
}

const namesOf = (one: Fields, other: Fields): string[] => [
  ...new Set([...Object.keys(one), ...Object.keys(other)]),
];

/** Whether two values have fields that correspond. */
function isAlike(one: unknown, other: unknown): boolean {
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null) return false;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  return !Array.isArray(one) || one.length === (other as unknown[]).length;
}
