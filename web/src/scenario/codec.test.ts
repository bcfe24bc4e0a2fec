import fc from "fast-check";
import { deflateSync } from "fflate";
import { describe, expect, it } from "vitest";
import threeWriters from "../../../scenarios/presets/three-writers.json";
import written from "../../../tests/links.json";
import {
  decodeFragment,
  decodeNamed,
  decodeView,
  encodeFragment,
  encodeNamed,
  fragmentOf,
  LINK_LIMIT,
} from "./codec.ts";
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
    // Beside the scenario there is room for the address of a page, and for a view.
    expect(fragment.length).toBeLessThan(LINK_LIMIT - 500);
    expect(fragment).toMatch(/^#2\.[\w-]{6}\.[\w-]+$/);
  });

  it("of the versions before are still read", () => {
    for (const link of [firstVersion(json), fragment]) {
      expect(decodeFragment(link)).toEqual({ kind: "json", json });
      expect(decodeView(link)).toEqual({ kind: "none" });
    }
  });

  it("of every version that tests of the Python package read are those of the page", () => {
    const { scenario: said, view, links } = written;
    for (const link of Object.values(links))
      expect(decodeFragment(link)).toEqual({ kind: "json", json: JSON.stringify(said) });
    expect(decodeView(links[3])).toEqual({ kind: "json", json: view });
    expect([encodeFragment(said as never), encodeFragment(said as never, view)]).toEqual([
      links[2],
      links[3],
    ]);
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

  it("of a later version whose number became 1 never opens: its check is no scenario, though it may unpack to some text", () => {
    for (let number = 0; number < 500; number++) {
      const link = encodeFragment({ ...scenario, name: `Scenario ${number}` }, number % 2 === 0 ? "" : "{}");
      expect(decodeFragment(link.replace(/^#[23]/, "#1"))).toMatchObject({
        kind: "broken",
        title: /damaged|incomplete/,
      });
    }
  });

  it("never throws, whatever the text", () => {
    fc.assert(fc.property(fc.string(), (text) => void decodeFragment(`#2.${text}`)));
    fc.assert(fc.property(fc.string(), (text) => void decodeFragment(text)));
  });
});

describe("the view of a link", () => {
  const view = JSON.stringify({
    state: { charts: ["throughput", "rateGbps:connection", "queue"], tables: true },
  });
  const withView = encodeFragment(scenario, view);

  it("stands behind the scenario, and only where it differs from how things are shown at first", () => {
    expect(encodeFragment(scenario, "")).toBe(fragment);
    expect(withView).toMatch(/^#3(\.[\w-]{6}\.[\w-]+){2}$/);
    expect(withView.length - fragment.length).toBeLessThan(120);
    expect(decodeFragment(withView)).toEqual({ kind: "json", json });
    expect(decodeView(withView)).toEqual({ kind: "json", json: view });
  });

  it("comes back whatever it is", () => {
    fc.assert(
      fc.property(fc.json(), (any) => {
        expect(decodeView(encodeFragment(scenario, any))).toEqual({ kind: "json", json: any });
      }),
    );
  });

  it.each([
    ["a tracker adds a parameter", `${withView}&fbclid=IwAR0_x-y`],
    ["words follow", `${withView} and so on.`],
    ["it stands in brackets", `${withView}).`],
    ["a mail program breaks its lines", `${withView.slice(0, -40)}=\r\n${withView.slice(-40)}`],
    ["its dots are escaped", withView.replaceAll(".", "%2E")],
  ])("comes back where %s", (_, passedOn) => {
    expect(decodeFragment(passedOn)).toEqual({ kind: "json", json });
    expect(decodeView(passedOn)).toEqual({ kind: "json", json: view });
  });

  it("does not take the scenario with it when it is cut or damaged", () => {
    const start = withView.lastIndexOf(".", withView.lastIndexOf(".") - 1);
    fc.assert(
      fc.property(fc.integer({ min: start, max: withView.length - 1 }), (end) => {
        const cut = withView.slice(0, end);
        expect(decodeFragment(cut)).toEqual({ kind: "json", json });
        expect(decodeView(cut)).toEqual({ kind: "damaged" });
      }),
    );
    fc.assert(
      fc.property(
        fc.integer({ min: start + 1, max: withView.length - 1 }),
        fc.constantFrom(..."Ab-_.0"),
        (at, other) => {
          const changed = withView.slice(0, at) + other + withView.slice(at + 1);
          expect(decodeFragment(changed)).toEqual({ kind: "json", json });
          expect([{ kind: "damaged" }, { kind: "json", json: view }]).toContainEqual(decodeView(changed));
        },
      ),
    );
  });

  it("never throws, whatever the text, and is not unpacked beyond a limit", () => {
    fc.assert(fc.property(fc.string(), (text) => void decodeView(`#3.a.b.${text}`)));
    fc.assert(fc.property(fc.string(), (text) => void decodeView(text)));
    expect(decodeView(encodeFragment(scenario, `"${"a".repeat(1_000_000)}"`))).toEqual({ kind: "damaged" });
    expect(decodeView(`#3.${"a".repeat(3_000_000)}`)).toEqual({ kind: "none" });
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

describe("a link to something else than a scenario", () => {
  const text = JSON.stringify({ student: "Größe", values: [1, 2, 3] });
  const link = encodeNamed("answers", text);
  const read = (fragment: string) => decodeNamed("answers", fragment, 1000);

  it("comes back as it was, also as it was passed on", () => {
    for (const passedOn of [
      link,
      link.slice(1),
      `${link}&fbclid=x`,
      `${link} and so on.`,
      `${link.slice(0, 30)}=\r\n${link.slice(30)}`,
    ])
      expect(read(passedOn)).toEqual({ kind: "text", text });
  });

  it("is told from a scenario and from other names", () => {
    expect(read(fragment)).toEqual({ kind: "none" });
    expect(decodeNamed("results", link, 1000)).toEqual({ kind: "none" });
    expect(decodeFragment(link)).toMatchObject({ kind: "broken" });
  });

  it("is refused where it is damaged, or unpacks to too much", () => {
    expect(read(link.slice(0, -4))).toMatchObject({ kind: "broken", title: "The link is damaged" });
    expect(read(link.replace(/.$/, (last) => (last === "A" ? "B" : "A")))).toMatchObject({ kind: "broken" });
    expect(decodeNamed("answers", encodeNamed("answers", " ".repeat(5000)), 1000)).toMatchObject({
      kind: "broken",
      title: "The link holds too much",
    });
  });
});
