import fc from "fast-check";
import { deflateSync } from "fflate";
import { describe, expect, it } from "vitest";
import threeWriters from "../../../scenarios/three-writers.json";
import { decodeFragment, encodeFragment, fragmentOf, LINK_LIMIT } from "./codec.ts";
import { crc32 } from "./crc32.ts";
import type { Scenario } from "./types.ts";

const scenario = threeWriters as unknown as Scenario;
const json = JSON.stringify(scenario);
const fragment = encodeFragment(scenario);

/** A link of version 1, which had no check. */
const firstVersion = (text: string) =>
  `#1.${Buffer.from(deflateSync(new TextEncoder().encode(text))).toString("base64url")}`;

describe("scenario links", () => {
  it("come back as they were, timeline and seed included", () => {
    const changed: Scenario = {
      ...scenario,
      name: "Größe & Ziel – 3:2:1",
      seed: 7,
      timeline: [{ atUs: 3000.123456, path: "classes[0].transport", value: "dctcp" }],
    };
    expect(decodeFragment(encodeFragment(changed))).toEqual({ kind: "json", json: JSON.stringify(changed) });
  });

  it("are short enough for a chat and safe in an address", () => {
    expect(fragment.length).toBeLessThan(LINK_LIMIT / 2);
    expect(fragment).toMatch(/^#2\.[\w-]{6}\.[\w-]+$/);
  });

  it("of the version before are still read", () => {
    expect(decodeFragment(firstVersion(json))).toEqual({ kind: "json", json });
  });

  it("are absent on a plain address", () => {
    expect(decodeFragment("").kind).toBe("none");
    expect(decodeFragment("#").kind).toBe("none");
    expect(fragmentOf("https://qoscope.example/")).toBe("");
  });

  it("say so when made by a newer version", () => {
    expect(decodeFragment("#9.abc")).toMatchObject({
      kind: "newer",
      sentence: expect.stringContaining("format 9"),
    });
  });

  it("say so when cut, with what could be read", () => {
    expect(decodeFragment(fragment.slice(0, -30))).toMatchObject({
      kind: "broken",
      title: "The link is incomplete",
      sentence: expect.stringContaining(scenario.name),
    });
    expect(decodeFragment("#hello")).toMatchObject({ kind: "broken", title: "This is not a QoScope link" });
  });
});

describe("a link that was passed on", () => {
  const same = { kind: "json", json };

  it.each([
    ["a tracker adds a parameter", `${fragment}&fbclid=IwAR0_x-y`],
    ["a newsletter adds parameters", `${fragment}?utm_source=mail&utm_medium=x`],
    ["a line ends after it", `${fragment}\r\n`],
    ["a blank and words follow", `${fragment} and so on.`],
    ["a sentence ends after it", `${fragment}.`],
    ["it stands in brackets", `${fragment})`],
    ["it stands in angle brackets", `${fragment}>.`],
    ["a mail program breaks its lines", `${fragment.slice(0, 70)}\r\n ${fragment.slice(70)}`],
    ["a mail program breaks its lines, quoted", `${fragment.slice(0, 70)}=\r\n${fragment.slice(70)}`],
    ["its dots are escaped", fragment.replaceAll(".", "%2E")],
    ["its dots are escaped twice", fragment.replaceAll(".", "%252e")],
    ["it has an escaped line break", `${fragment}%0D%0A`],
  ])("opens where %s", (_, passedOn) => {
    expect(decodeFragment(passedOn)).toEqual(same);
    expect(decodeFragment(fragmentOf(`https://qoscope.example/?utm_source=x${passedOn}`))).toEqual(same);
  });

  it("opens as a link of version 1 too", () => {
    expect(decodeFragment(`${firstVersion(json)}&fbclid=IwAR0.`)).toEqual(same);
  });
});

describe("a damaged link", () => {
  const characters = Array.from({ length: 95 }, (_, i) => String.fromCharCode(32 + i));

  it("is refused with a sentence, or opens as the same scenario", () => {
    fc.assert(
      fc.property(fc.nat(fragment.length - 2), fc.constantFrom(...characters), (at, character) => {
        const damaged = fragment.slice(0, at + 1) + character + fragment.slice(at + 2);
        const decoded = decodeFragment(damaged);
        if (decoded.kind === "json") expect(decoded.json).toBe(json);
        else expect(decoded).toMatchObject({ title: /./, sentence: /\.$|”$/ });
      }),
      { numRuns: 1500 },
    );
  });

  it("is refused when characters are lost, doubled or swapped", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: fragment.length - 2 }), (at) => {
        const [before, a, b, after] = [
          fragment.slice(0, at),
          fragment[at],
          fragment[at + 1],
          fragment.slice(at + 2),
        ];
        for (const damaged of [
          `${before}${b}${after}`,
          `${before}${a}${a}${b}${after}`,
          `${before}${b}${a}${after}`,
        ]) {
          const decoded = decodeFragment(damaged);
          if (decoded.kind === "json") expect(decoded.json).toBe(json);
        }
      }),
      { numRuns: 200 },
    );
  });

  it("never throws, whatever the text", () => {
    fc.assert(fc.property(fc.string(), (text) => void decodeFragment(`#2.${text}`)));
    fc.assert(fc.property(fc.string(), (text) => void decodeFragment(text)));
  });
});

describe("a hostile link", () => {
  it("is not unpacked beyond the limit", () => {
    const bomb = firstVersion(`"${"a".repeat(50_000_000)}"`);
    expect(decodeFragment(bomb)).toMatchObject({ kind: "broken", title: "The link holds too much" });
  });

  it("is not looked at when it is too long", () => {
    expect(decodeFragment(`#2.${"a".repeat(3_000_000)}`)).toMatchObject({ title: "The link is too long" });
  });
});

describe("CRC-32", () => {
  it("is that of Ethernet and zip", () => {
    expect(crc32("123456789")).toBe(0xcbf43926);
  });
});
