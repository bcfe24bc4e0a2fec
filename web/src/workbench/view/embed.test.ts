import { describe, expect, it } from "vitest";
import { embedOf } from "./embed.ts";

describe("the query of an embed", () => {
  it("is none without its word", () => {
    expect(embedOf("?lock&hide=settings")).toBeNull();
  });

  it("shows everything, unlocked and running, unless it says otherwise", () => {
    expect(embedOf("?embed")).toEqual({ hidden: [], lock: null, autoplay: true, follow: false, scorm: null });
  });

  it("hides, locks and holds back what it names, and passes over what there is not", () => {
    expect(embedOf("?embed=1&hide=charts,settings,nothing&hide=results&lock&autoplay=0&follow")).toEqual({
      hidden: ["settings", "results", "charts"],
      lock: { all: true, locked: [], free: [] },
      autoplay: false,
      follow: true,
      scorm: null,
    });
  });

  it("is an LMS's too, with the version that it speaks", () => {
    expect(embedOf("?scorm=1.2")).toMatchObject({ hidden: [], lock: null, scorm: "1.2" });
    expect(embedOf("?scorm")?.scorm).toBe("");
  });

  it("locks the fields that it names, or all but those that it frees", () => {
    const lockOf = (query: string) => embedOf(`?embed&${query}`)?.lock;
    const path = "switch.ecnThresholdPackets";
    expect(lockOf(`lock=${path},classes&free=classes[].ratio`)).toEqual({
      all: false,
      locked: [path, "classes"],
      free: ["classes[].ratio"],
    });
    expect(lockOf(`lock&free=${path}`)).toEqual({ all: true, locked: [], free: [path] });
    expect(lockOf(`free=${path}`)).toEqual({ all: true, locked: [], free: [path] });
  });
});
