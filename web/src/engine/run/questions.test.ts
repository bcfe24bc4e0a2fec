import { describe, expect, it } from "vitest";
import { setUp, trapped } from "./testWorker.ts";

describe("the summary of a run", () => {
  it("is asked for and comes, once for everybody who waits", async () => {
    const { session, reply, last, load, frame } = setUp();
    void session.openFragment("");
    expect(await session.summary()).toBeNull();
    const generation = load();
    frame(100, "running");
    const asked = [session.summary(), session.summary()];
    expect(last("summary")).toEqual({ kind: "summary", generation });
    reply({ kind: "summary", generation, json: "{}" });
    expect(await Promise.all(asked)).toEqual(["{}", "{}"]);
  });

  it("is none where another run takes its place, or the engine stops", async () => {
    const { session, reply, load, frame } = setUp();
    void session.openFragment("");
    load();
    frame(100, "running");
    const replaced = session.summary();
    session.restart();
    const generation = load();
    expect(await replaced).toBeNull();
    const lost = session.summary();
    reply(trapped(generation, 5));
    expect(await lost).toBeNull();
  });
});
