import { describe, expect, it } from "vitest";
import { SCENARIOS } from "../../scenario/presets.ts";
import type { Scenario } from "../../scenario/types.ts";
import { type NetworkReply, networkFile, reasonsOf, withNetworkOf } from "./networkFiles.ts";

const scenario = SCENARIOS["three-writers"] as Scenario;
const file = new File(["a s\nb s\n"], "edges.txt");

/** A worker that answers with a reply, or fails with a message. */
function answering(reply: NetworkReply | { readonly message: string }) {
  const worker = {
    posted: [] as unknown[],
    ended: false,
    onmessage: null as ((event: { data: NetworkReply }) => void) | null,
    onerror: null as ((event: { message: string; preventDefault(): void }) => void) | null,
    postMessage(data: unknown) {
      this.posted.push(data);
      if ("message" in reply) this.onerror?.({ ...reply, preventDefault() {} });
      else this.onmessage?.({ data: reply });
    },
    terminate() {
      this.ended = true;
    },
  };
  return { worker, create: () => worker as unknown as Worker };
}

describe("a file of a network", () => {
  it("becomes the network of the scenario, in a worker that ends with it", async () => {
    const text = JSON.stringify({ scenario: JSON.stringify({ version: 2 }), summary: "2 hosts" });
    const { worker, create } = answering({ ok: true, text });
    expect(await withNetworkOf(scenario, file, create)).toEqual({
      scenario: { version: 2 },
      summary: "2 hosts",
    });
    expect(worker.posted).toEqual([{ kind: "read", scenario: JSON.stringify(scenario), file }]);
    expect(worker.ended).toBe(true);
  });

  it("is made of the network of a scenario", async () => {
    const { worker, create } = answering({ ok: true, text: "# from to" });
    expect(await networkFile(scenario, "hpcc", create)).toEqual({ ok: true, text: "# from to" });
    expect(worker.posted).toEqual([{ kind: "write", scenario: JSON.stringify(scenario), format: "hpcc" }]);
  });

  it("that is refused says why, and so does an engine that does not come or fails", async () => {
    const refused = { ok: false, reasons: ["line 2: is wrong. Correct it."] } as const;
    expect(await withNetworkOf(scenario, file, answering(refused).create)).toEqual(refused);
    const failed = async (message: string) => {
      const reply = await networkFile(scenario, "edges", answering({ message }).create);
      return reply.ok ? "" : reply.reasons[0];
    };
    expect(await failed("")).toMatch(/could not be fetched/);
    expect(await failed("unreachable executed")).toMatch(/failed/);
  });

  it("has what the engine says as sentences; what else is thrown is no answer of it", () => {
    const diagnostics = [
      { path: "line 2", reason: 'names "b" alone', hint: "Write two." },
      { path: "", reason: "is empty", hint: "Fill it." },
    ];
    expect(reasonsOf(JSON.stringify(diagnostics))).toEqual([
      'line 2: names "b" alone. Write two.',
      "scenario: is empty. Fill it.",
    ]);
    expect(() => reasonsOf(new Error("trap"))).toThrow("trap");
  });
});
