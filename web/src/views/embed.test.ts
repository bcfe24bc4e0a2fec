import { describe, expect, it } from "vitest";
import { embedOf } from "./embed.ts";

describe("the query of an embed", () => {
  it("is none without its word", () => {
    expect(embedOf("?lock&hide=settings")).toBeNull();
  });

  it("shows everything, unlocked and running, unless it says otherwise", () => {
    expect(embedOf("?embed")).toEqual({ hidden: [], locked: false, autoplay: true });
  });

  it("hides, locks and holds back what it names, and passes over what there is not", () => {
    expect(embedOf("?embed=1&hide=charts,settings,nothing&hide=results&lock&autoplay=0")).toEqual({
      hidden: ["settings", "results", "charts"],
      locked: true,
      autoplay: false,
    });
  });
});
