/**
 * Sets a field of a JSON document by its path, as `classes[0].ratio`. Objects on the way that are not there are made;
 * whether the field exists is for the validation to say.
 *
 * @param {unknown} document changed in place
 * @param {string} path
 * @param {unknown} value
 */
export function setPath(document, path, value) {
  const keys = path.split(/[.[\]]+/).filter((key) => key !== "");
  const last = keys.pop();
  if (last === undefined) return;
  let place = /** @type {Record<string, unknown>} */ (document);
  for (const key of keys) {
    place[key] ??= {};
    place = /** @type {Record<string, unknown>} */ (place[key]);
  }
  place[last] = value;
}

/**
 * Reads an assignment, as `switch.marking=red` or `classes[0].ratio=4`. A value that is no JSON is a text.
 *
 * @param {string} assignment
 * @returns {{ path: string, value: unknown } | undefined} nothing if it is no assignment
 */
export function readAssignment(assignment) {
  const equals = assignment.indexOf("=");
  if (equals <= 0) return undefined;
  const text = assignment.slice(equals + 1);
  const path = assignment.slice(0, equals);
  try {
    return { path, value: JSON.parse(text) };
  } catch {
    return { path, value: text };
  }
}
