import { describe, expect, it, vi } from "vitest";
import { SCENARIOS } from "../../scenario/presets.ts";
import type { Scenario } from "../../scenario/types.ts";
import { testWorker } from "../rpc/testWorker.ts";
import { networkFile, reasonsOf, withNetworkOf } from "./networkFiles.ts";

const scenario = SCENARIOS["three-writers"] as Scenario;
const file = new File(["a s\nb s\n"], "edges.txt");

describe("a file of a network", () => {
  it("becomes the network of the scenario, in a worker that ends with it", async () => {
    const read = vi.fn(() =>
      JSON.stringify({ scenario: JSON.stringify({ version: 2 }), summary: "2 hosts" }),
    );
    const { worker, create } = testWorker({ read });
    expect(await withNetworkOf(scenario, file, create)).toEqual({
      scenario: { version: 2 },
      summary: "2 hosts",
    });
    expect(read.mock.calls).toMatchObject([[JSON.stringify(scenario), {}]]);
    expect(worker.ended).toBe(true);
  });

  it("is made of the network of a scenario", async () => {
    const write = vi.fn(() => "# from to");
    const { create } = testWorker({ write });
    expect(await networkFile(scenario, "hpcc", create)).toBe("# from to");
    expect(write.mock.calls).toEqual([[JSON.stringify(scenario), "hpcc"]]);
  });

  it("that is refused says why, and so does an engine that does not come or fails", async () => {
    const diagnostics = [
      { path: "line 2", reason: 'names "b" alone', hint: "Write two.", severity: "error" },
      { path: "", reason: "is empty", hint: "Fill it.", severity: "error" },
    ];
    const refused = testWorker({
      read() {
        throw JSON.stringify(diagnostics);
      },
    });
    const reasons = await withNetworkOf(scenario, file, refused.create).catch(reasonsOf);
    expect(reasons).toEqual(['line 2: names "b" alone. Write two.', "scenario: is empty. Fill it."]);
    const failed = (message: string) => {
      const { worker, create } = testWorker({ write: () => new Promise(() => {}) });
      const made = networkFile(scenario, "edges", create).catch(reasonsOf);
      worker.fail(message);
      return made;
    };
    expect(await failed("")).toEqual(["The engine that reads it could not be fetched. Try again."]);
    expect(await failed("unreachable executed")).toEqual([
      "The engine failed while it read the network. Make it smaller.",
    ]);
  });
});
