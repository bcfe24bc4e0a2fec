import { describe, expect, it } from "vitest";
import rdma from "../../../scenarios/paper1/paper1-fig18a-dcqcn.json";
import wrr from "../../../scenarios/presets/nvme-wrr-321.json";
import threeWriters from "../../../scenarios/presets/three-writers.json";
import { engineSays } from "../engine/run/testEngine.ts";
import { explanationOf } from "../scenario/explanation.ts";
import { fieldsAt } from "../scenario/schema.ts";
import { pathsOf } from "../scenario/transports.ts";
import type { Scenario } from "../scenario/types.ts";
import { deviceRows, settingRows } from "./settingRows.ts";

/** Fields that are set elsewhere than in a row of a panel, by where that is. */
const ELSEWHERE: Readonly<Record<string, RegExp>> = {
  "the document itself": /^(version|name|description)$/,
  "the table of classes": /^classes\[\d+\]\.(ratio|transport)$/,
  "the field that renames a class": /^classes\[\d+\]\.name$/,
  "the view of the plan": /^classes\[\d+\]\.contract$/,
  "the panel of workloads": /^workloads$/,
  "the list of servers": /^storage\.servers$/,
  "beside the generator of the network": /^topology\.shape\.k$/,
  "the network while it is edited": /^topology\.(failedLinks|shape\.(nodes|links))$/,
  "the changes that are recorded": /^timeline$/,
  "the editor of the story": /^(story\..*|notes)$/,
  "the fit of a drive": /^storage\.ssd\.evidence\./,
  "scenario files alone": /^switch\.dscpMap$/,
};

/** Every field that holds a value by itself, of lists those of the classes alone. */
function fields(scenario: Scenario, path = ""): readonly string[] {
  return fieldsAt(path, scenario).flatMap(({ name, form }) => {
    const inner = path ? `${path}.${name}` : name;
    if (form === "object") return fields(scenario, inner);
    if (inner === "classes")
      return scenario.classes.flatMap((_, index) => fields(scenario, `classes[${index}]`));
    return [inner];
  });
}

describe.each([
  ["three writers", threeWriters],
  ["RDMA with deadlines", rdma],
  ["weighted round robin in an SSD", wrr],
])("the settings of %s", (_, document) => {
  const scenario = document as unknown as Scenario;
  const explanation = explanationOf(engineSays(scenario));
  const kinds = ["ssd", "persistent-memory", "constant-capacity"] as const;
  const rows = [
    ...settingRows(scenario, explanation),
    ...kinds.flatMap((kind) => deviceRows(scenario, explanation, kind)),
  ];

  it("have a row for every field that has an effect and is set nowhere else", () => {
    const found = new Set(rows.flatMap(({ path }) => pathsOf(path, scenario)));
    const missing = fields(scenario).filter(
      (path) =>
        !found.has(path) &&
        !explanation.of(path)?.noEffect &&
        !Object.values(ELSEWHERE).some((place) => place.test(path)),
    );
    expect(missing).toEqual([]);
  });

  it("are each found once in its panel, by a name", () => {
    const explored = settingRows(scenario, explanation).map(({ path, title }) => `${title} ${path}`);
    expect(new Set(explored).size).toBe(explored.length);
    expect(rows.filter(({ name }) => name.trim() === "")).toEqual([]);
  });
});
