import type { Arbiter } from "../../charts/device/deviceQueues.ts";
import { ARBITRATION, arbitrationOf } from "../../scenario/arbitration.ts";
import type { QueueLevel } from "../../scenario/explanation.ts";
import { fieldAt, valueAt } from "../../scenario/schema.ts";
import type { Scenario } from "../../scenario/types.ts";

/** The arbitration of a scenario, as its picture tells of it. */
export function arbiterOf(scenario: Scenario, levels: readonly QueueLevel[]): Arbiter {
  const { value: kind, limitsDevice } = arbitrationOf(scenario);
  const title = fieldAt(ARBITRATION, scenario).options?.find(({ value }) => value === kind)?.title ?? "";
  const number = (name: string) => Number(valueAt(scenario, `storage.nvme.${name}`));
  const weights = levels.flatMap(({ weight }) => (weight === null ? [] : [weight]));
  const burst = `burst ${number("burst")}`;
  return {
    title,
    note: !limitsDevice
      ? `each up to ${number("queueCommands")}`
      : weights.length > 1
        ? `weights ${weights.join(" : ")}, ${burst}`
        : burst,
    limit: limitsDevice ? number("deviceCommands") : null,
  };
}
