import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { testWorker } from "../rpc/testWorker.ts";
import { checkSource, judge, type Source, type Verdict } from "./opening.ts";

const file: Source = { kind: "file", file: new File(["{}"], "package.json") };
const link: Source = { kind: "link", fragment: "#2.x" };
const finds = (diagnostics: readonly object[]) => ({
  validate: () => JSON.stringify(diagnostics),
  migrated: (json: string) => json.replace('"version":2', '"version":3'),
});
const diagnostic = (path: string) => ({ path, reason: "is wrong", hint: "Correct it." });

describe("what the engine says of a scenario from outside", () => {
  it("opens what it accepts", () => {
    expect(judge('{"version":3}', file, finds([]))).toEqual({ kind: "accepted", scenario: { version: 3 } });
  });

  it("brings an older version to that of the engine", () => {
    expect(judge('{"version":2}', file, finds([]))).toEqual({ kind: "accepted", scenario: { version: 3 } });
  });

  it("parses nothing that it refuses", () => {
    const deep = "[".repeat(1_900_000) + "]".repeat(1_900_000);
    expect(judge(deep, file, finds([diagnostic("")]))).toMatchObject({
      kind: "refused",
      refusal: { title: "“package.json” was not opened", sentence: "An error keeps it from running." },
    });
  });

  it("opens what it only warns of, and lists errors without the warnings", () => {
    const warning = { ...diagnostic("durationUs"), severity: "warning" };
    expect(judge("{}", file, finds([warning]))).toMatchObject({ kind: "accepted" });
    const error = { ...diagnostic("seed"), severity: "error" };
    expect(judge("{}", link, finds([warning, error, error]))).toMatchObject({
      refusal: { diagnostics: [error, error], sentence: "These errors keep it from running.", json: "{}" },
    });
  });

  it("tells a version to come from something that is no version", () => {
    const refused = (json: string) => judge(json, file, finds([diagnostic("version")]));
    expect(refused('{"version":4}')).toMatchObject({ refusal: { kind: "newer" } });
    for (const json of ['{"version":"1.0.0"}', '{"version":0}', '{"version":1}', "{}"]) {
      expect(refused(json)).toMatchObject({ refusal: { kind: "invalid" } });
    }
  });
});

describe("a check", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  function started(check: (source: Source) => Promise<Verdict>) {
    const { worker, create } = testWorker({ check });
    return { worker, verdict: checkSource(link, create) };
  }
  const never = () => new Promise<never>(() => {});

  it("is done by a worker that ends with it", async () => {
    const accepted = { kind: "accepted", scenario: {} } as Verdict;
    const { worker, verdict } = started(async () => accepted);
    expect(await verdict).toEqual(accepted);
    expect(worker.ended).toBe(true);
  });

  it("that takes too long, or ends its worker, is a refusal", async () => {
    for (const end of ["time", "error"]) {
      const { worker, verdict } = started(never);
      if (end === "time") vi.advanceTimersByTime(10_000);
      else worker.fail("unreachable executed");
      expect(await verdict).toMatchObject({ kind: "refused", refusal: { kind: "broken" } });
      expect(worker.ended).toBe(true);
    }
  });

  it("whose script does not come says that, and not that the scenario is at fault", async () => {
    const { worker, verdict } = started(never);
    worker.fail("");
    expect(await verdict).toMatchObject({ kind: "refused", refusal: { kind: "unfetched" } });
  });
});
