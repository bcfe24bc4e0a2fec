import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";

const sources = resolve(import.meta.dirname, "../../web/src");

/** Folders that must have no rule of their own: what holds of a scenario and of a run the engine states, and the page draws. */
const FOLDERS = ["scenario", "run", "answers"];

/**
 * Constants with numbers that are no rule of the engine, each with what it is instead. A limit, a default, a threshold or a
 * recommendation of the model does not belong here: it stands in the engine, and comes by the catalogue or with an answer.
 */
const NO_RULES: Readonly<Record<string, string>> = {
  "run/deadlines.ts LATELY": "how much of a run is shown as lately",
  "run/devices.ts FIXED": "form of the readings that the engine hands over",
  "run/identity.ts IDENTITIES": "colours and marks that there are",
  "run/identity.ts RESERVED": "colours and marks that there are",
  "run/journeyLanes.ts MAX_UNITS": "rows that a picture has room for",
  "run/links.ts LINK_NUMBERS": "form of the readings that the engine hands over",
  "run/service.ts ENOUGH": "how much of a run is shown as lately",
  "run/service.ts LATELY_US": "how much of a run is shown as lately",
  "scenario/codec.ts CHECK_LENGTH": "form of links",
  "scenario/codec.ts FRAGMENT_LIMIT": "form of links",
  "scenario/codec.ts LINK_LIMIT": "form of links",
  "scenario/codec.ts LINK_VERSION": "form of links",
  "scenario/codec.ts VIEW_LIMIT": "form of links",
  "scenario/contracts.ts DIGITS": "digits of what is drawn by hand",
  "scenario/contracts.ts FIRST": "what a person who adds one begins with",
  "scenario/contracts.ts GROWTH": "what a person who adds one begins with",
  "scenario/crc32.ts TABLE": "table of the CRC-32",
  "scenario/emptySheet.ts PITCH": "distance on a drawing",
  "scenario/history.ts LIMIT": "steps of undo",
  "scenario/saved.ts NAME_LIMIT": "letters of a name on the page",
  "scenario/themes.ts SIDE_BY_SIDE": "scenarios in a row of the menu",
  "scenario/units.ts BYTES": "units",
  "scenario/units.ts RATE": "units",
  "scenario/units.ts SLOW_RATE": "units",
  "scenario/units.ts TIME": "units",
  "scenario/workloads.ts HOT": "what a person who adds one begins with",
  "scenario/workloads.ts START": "what a person who adds one begins with",
};

/** Numbers that count and index: they state nothing. */
const PLAIN = ["0", "1", "2"];

/** Code without comments, texts, and what stands in brackets of types. */
const bare = (code: string): string =>
  code
    .replace(/\/\*[\s\S]*?\*\//g, "")
    .replace(/(^|\s)\/\/.*/gm, "")
    .replace(/"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g, '""');

/** The constants of a module, beside functions, whose values have numbers. A statement ends with the line that closes it. */
function constants(source: string): string[] {
  const statements = bare(source).matchAll(
    /^(?:export )?const (\w+)[^=]*=(?!>)((?:.*\n)(?:[ \t)\]}].*\n)*)/gm,
  );
  return [...statements].flatMap(([, name = "", value = ""]) => {
    const isFunction = /^\s*(?:async )?(?:<[^>]*>\s*)?(?:\([^=]*|\w+)\s*=>/.test(value);
    const numbers = value.match(/(?<![\w$.])\d[\d_]*(?:\.\d+)?(?:e[+-]?\d+)?(?![\w$])/gi) ?? [];
    return !isFunction && numbers.some((number) => !PLAIN.includes(number)) ? [name] : [];
  });
}

const found = FOLDERS.flatMap((folder) =>
  readdirSync(join(sources, folder), { recursive: true, encoding: "utf8" })
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\.|^test/.test(file))
    .flatMap((file) =>
      constants(readFileSync(join(sources, folder, file), "utf8")).map((name) => `${folder}/${file} ${name}`),
    ),
);

describe("the rules of a scenario and of a run", () => {
  it("stand in the engine: a constant with numbers here is named with what else it is", () => {
    expect(found.filter((name) => !(name in NO_RULES))).toEqual([]);
  });

  it("are excepted by no name that is gone", () => {
    expect(Object.keys(NO_RULES).filter((name) => !found.includes(name))).toEqual([]);
  });

  it("are found in whatever form a constant has", () => {
    const planted = [
      "export const MAX_FILE = 5_000_000;",
      "const RANGE: readonly [number, number] = [0.001, 1600];",
      "const SIZES: Readonly<Record<string, number>> = {\n  high: 16,\n  low: 128,\n};",
      'const SHAPE = { kind: "fat-tree", k: 4 } as const;',
      "export const EVERY = new Map([\n  [1, 0.9],\n]);",
      "const LOWEST = -3;",
      "const TINY = 1e-6;",
    ];
    expect(constants(`${planted.join("\n")}\n`)).toEqual([
      "MAX_FILE",
      "RANGE",
      "SIZES",
      "SHAPE",
      "EVERY",
      "LOWEST",
      "TINY",
    ]);
  });

  it("are not counts, words, functions and remarks", () => {
    const harmless = [
      "/** At most 500. */\nconst FIRST = 0;",
      'const KIND = "nvme-64";',
      "const PAIR = [1, 2] as const; // not 3",
      "export const half = (value: number): number =>\n  value / 4;",
      "const other = async (value: number) => {\n  return value * 8;\n};",
      "function f() {\n  const inner = 7;\n}",
      "const X2_OF = names.map(String);",
    ];
    expect(constants(`${harmless.join("\n")}\n`)).toEqual([]);
  });
});
