/** @typedef {{ document: object, transports: object[], metrics: object[] }} Catalogue */

/**
 * What the page reads of the engine's catalogue, which comes with its first script: fields without what their place in the
 * document says, transports and metrics without what only files, the command line and the docs tell of them.
 *
 * @param {Catalogue} catalogue
 * @returns {Catalogue}
 */
export function catalogueOfPage({ document, transports, metrics }) {
  return {
    document: JSON.parse(JSON.stringify(document, without(["path", "required"]))),
    transports: transports.map((transport) => only(transport, ["value", "title", "paces", "follows"])),
    metrics: metrics
      .filter((metric) => "chart" in metric)
      .map((metric) => only(metric, ["id", "title", "symbol", "unit", "series", "chart"])),
  };
}

/** @param {readonly string[]} names */
const without = (names) => (/** @type {string} */ key, /** @type {unknown} */ value) =>
  names.includes(key) ? undefined : value;

/**
 * @param {object} item
 * @param {readonly string[]} names
 */
const only = (item, names) =>
  Object.fromEntries(Object.entries(item).filter(([name]) => names.includes(name)));
