/**
 * @typedef {{ document: object, transports: object[], arbitrations: object[], tenantSchedulers: object[], metrics: object[], stages: object[] }} Catalogue
 */

/**
 * What the page reads of the engine's catalogue, which comes with its first script: fields without what their place in the
 * document says and without their sentences; transports, arbitrations, schedulers, metrics and stages without what only files,
 * the command line and the docs tell of them.
 *
 * @param {Catalogue} catalogue
 * @returns {Catalogue}
 */
export function catalogueOfPage({ document, transports, arbitrations, tenantSchedulers, metrics, stages }) {
  return {
    document: JSON.parse(JSON.stringify(document, without(["path", "required", "sentence", "source"]))),
    transports: transports.map((transport) => only(transport, ["value", "title", "paces", "follows"])),
    arbitrations: arbitrations.map((arbitration) => only(arbitration, ["value", "weighs", "limitsDevice"])),
    tenantSchedulers: tenantSchedulers.map((scheduler) =>
      only(scheduler, ["value", "title", "usesLadder", "suggested"]),
    ),
    metrics: metrics
      .filter((metric) => "chart" in metric)
      .map((metric) => only(metric, ["id", "title", "symbol", "unit", "series", "chart"])),
    stages,
  };
}

/**
 * What fields and choices are, in sentences, by their places in the document: a script of its own, which comes with the first
 * hint.
 *
 * @param {Catalogue} catalogue
 * @returns {object}
 */
export function sentencesOfPage({ document }) {
  return JSON.parse(JSON.stringify(document, keeping(SENTENCE_KEYS)));
}

const SENTENCE_KEYS = ["name", "value", "sentence", "source", "fields", "items", "variants", "options"];

/** @param {readonly string[]} names */
const keeping = (names) => (/** @type {string} */ key, /** @type {unknown} */ value) =>
  key === "" || /^\d+$/.test(key) || names.includes(key) ? value : undefined;

/** @param {readonly string[]} names */
const without = (names) => (/** @type {string} */ key, /** @type {unknown} */ value) =>
  names.includes(key) ? undefined : value;

/**
 * @param {object} item
 * @param {readonly string[]} names
 */
const only = (item, names) =>
  Object.fromEntries(Object.entries(item).filter(([name]) => names.includes(name)));
