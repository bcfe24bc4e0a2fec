import { deflateSync } from "fflate";
import { describe, expect, it } from "vitest";
import threeWriters from "../../../scenarios/three-writers.json";
import { decodeFragment, encodeFragment, LINK_LIMIT } from "./codec.ts";
import type { Scenario } from "./types.ts";

const scenario = threeWriters as unknown as Scenario;
const fragmentOf = (text: string) =>
  `#1.${Buffer.from(deflateSync(new TextEncoder().encode(text))).toString("base64url")}`;

describe("scenario links", () => {
  it("come back as they were, timeline and seed included", () => {
    const changed: Scenario = {
      ...scenario,
      name: "Größe & Ziel – 3:2:1",
      seed: 7,
      timeline: [{ atUs: 3000.123456, path: "classes[0].transport", value: "dctcp" }],
    };
    expect(decodeFragment(encodeFragment(changed))).toEqual({ kind: "scenario", scenario: changed });
  });

  it("are short enough for a chat and safe in an address", () => {
    const fragment = encodeFragment(scenario);
    expect(fragment.length).toBeLessThan(LINK_LIMIT / 2);
    expect(fragment).toMatch(/^#1\.[\w-]+$/);
  });

  it("are absent on a plain address", () => {
    expect(decodeFragment("").kind).toBe("none");
    expect(decodeFragment("#").kind).toBe("none");
  });

  it("say so when made by a newer version, of the link or of the document", () => {
    expect(decodeFragment("#9.abc")).toMatchObject({
      kind: "newer",
      sentence: expect.stringContaining("format 9"),
    });
    const later = fragmentOf(JSON.stringify({ ...scenario, version: 2 }));
    expect(decodeFragment(later)).toMatchObject({
      kind: "newer",
      sentence: expect.stringContaining("format 2"),
    });
  });

  it("say so when cut, with what could be read", () => {
    const fragment = encodeFragment(scenario);
    const cut = decodeFragment(fragment.slice(0, -30));
    expect(cut).toMatchObject({ kind: "broken", title: "The link is incomplete" });
    expect(decodeFragment("#hello")).toMatchObject({ kind: "broken", title: "This is not a QoScope link" });
    expect(decodeFragment(fragmentOf("[1, 2]")).kind).toBe("broken");
    expect(decodeFragment(fragmentOf("{not json")).kind).toBe("broken");
  });

  it("survive any damage without throwing", () => {
    const fragment = encodeFragment(scenario);
    for (let at = 3; at < fragment.length; at += 7) {
      const damaged = `${fragment.slice(0, at)}A${fragment.slice(at + 1)}`;
      expect(["scenario", "broken"]).toContain(decodeFragment(damaged).kind);
    }
  });

  it("do not unpack a bomb", () => {
    expect(decodeFragment(fragmentOf(`"${"a".repeat(50_000_000)}"`)).kind).toBe("broken");
  });
});
