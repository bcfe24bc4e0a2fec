/**
 * Makes cases smaller that fail, as long as they fail for the same cause: parts are left out, the large ones first,
 * numbers become simple ones. A part without which a document is refused stays, since then nothing fails.
 */

/** How long it is tried. */
const patienceMs = 30_000;

/** @typedef {(string | number)[]} Path */

/**
 * The places of a value, outer ones first.
 *
 * @param {any} value
 * @param {Path} [path]
 * @returns {Path[]}
 */
function places(value, path = []) {
  if (typeof value !== "object" || value === null) return [];
  const keys = Array.isArray(value) ? [...value.keys()].reverse() : Object.keys(value);
  return [...keys.map((key) => [...path, key]), ...keys.flatMap((key) => places(value[key], [...path, key]))];
}

/**
 * A copy of `value` in which `edit` has changed the holder of a place; nothing if the place is gone.
 *
 * @param {any} value
 * @param {Path} path
 * @param {(holder: any, key: any) => void} edit
 */
function edited(value, path, edit) {
  const copy = structuredClone(value);
  const holder = path.slice(0, -1).reduce((part, key) => part?.[key], copy);
  const key = path.at(-1);
  if (typeof holder !== "object" || holder === null || key === undefined || !(key in holder))
    return undefined;
  edit(holder, key);
  return copy;
}

/** @param {any} holder @param {any} key */
const leaveOut = (holder, key) => {
  if (Array.isArray(holder)) holder.splice(key, 1);
  else delete holder[key];
};

/**
 * Simpler numbers to try instead of one.
 *
 * @param {any} value
 */
const simpler = (value) =>
  typeof value === "number"
    ? [...new Set([0, 1, Math.round(value / 2), Number(value.toPrecision(1))])].filter((one) => one < value)
    : [];

/**
 * What may make a text smaller: leaving out one of two halves, of four quarters and so on.
 *
 * @param {number} length
 * @returns {Generator<(value: any) => any>}
 */
function* cuts(length) {
  for (let size = Math.ceil(length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let at = 0; at < length; at += size) {
      yield ({ text }) =>
        at < text.length ? { text: text.slice(0, at) + text.slice(at + size) } : undefined;
    }
  }
}

/**
 * What may make a case smaller, the large cuts first.
 *
 * @param {any} value
 * @returns {Generator<(value: any) => any>}
 */
function* edits(value) {
  if (typeof value.text === "string") return yield* cuts(value.text.length);
  yield (one) => ({ ...one, steps: [] });
  yield (one) => edited(one, ["document", "timeline"], leaveOut);
  for (const place of places(value)) yield (one) => edited(one, place, leaveOut);
  for (const place of places(value)) {
    for (const number of simpler(place.reduce((part, key) => part?.[key], value))) {
      yield (one) =>
        edited(one, place, (holder, key) => {
          holder[key] = number;
        });
    }
  }
}

/**
 * The smallest case found that fails as this one does.
 *
 * @param {any} value the case
 * @param {(smaller: any) => Promise<boolean>} fails whether it fails for the same cause
 */
export async function shrink(value, fails) {
  const until = Date.now() + patienceMs;
  let smallest = value;
  for (let found = true; found; ) {
    found = false;
    for (const edit of edits(smallest)) {
      if (Date.now() > until) return smallest;
      const candidate = edit(smallest);
      if (candidate === undefined || JSON.stringify(candidate) === JSON.stringify(smallest)) continue;
      if (await fails(candidate)) {
        smallest = candidate;
        found = true;
      }
    }
  }
  return smallest;
}
