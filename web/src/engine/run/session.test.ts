import { describe, expect, it } from "vitest";
import { NO_ANSWER } from "../../scenario/explanation.ts";
import { setUp } from "./testWorker.ts";

describe("what the engine says of the parameters in force", () => {
  it("stands until the next answer of the same run", () => {
    const { session, reply, load } = setUp();
    void session.openFragment("");
    const generation = load();
    const said = () => session.run.getState().explanation.of("classes[0].ratio")?.noEffect?.reason;
    const explained = (of: number, reason: string) =>
      reply({
        kind: "explained",
        generation: of,
        explanation: {
          ...NO_ANSWER,
          fields: [{ path: "classes[0].ratio", value: 1, source: "given", noEffect: { reason } }],
        },
        reading: {},
      });
    expect(said()).toBeUndefined();
    explained(generation, "DCTCP ignores class ratios");
    expect(said()).toBe("DCTCP ignores class ratios");
    explained(generation - 1, "the goal is a tail latency");
    expect(said()).toBe("DCTCP ignores class ratios");
  });
});
