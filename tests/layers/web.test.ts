import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { describe, expect, it } from "vitest";

const sources = resolve(import.meta.dirname, "../../web/src");

/**
 * The folders of the page, and the ones that each may import from beside itself. What a run has produced stands apart
 * from who records it and who shows it. Drawing knows neither the engine nor the scenario: it is given data, and reads from the
 * generated catalogue what there is to draw. Views stand on top.
 */
const mayImport: Record<string, readonly string[]> = {
  styles: [],
  generated: [],
  ui: ["styles"],
  run: [],
  charts: ["ui", "styles", "run", "generated"],
  topology: ["ui", "styles", "run", "charts"],
  scenario: ["generated"],
  engine: ["generated", "scenario", "run"],
  offline: [],
  panels: ["ui", "styles", "run", "charts", "scenario", "engine"],
  views: ["ui", "styles", "run", "charts", "topology", "panels", "scenario", "engine", "offline"],
};

/** The paths that a module names: static and dynamic imports, exports from another, and addresses of files. */
function named(source: string): { path: string; line: number }[] {
  const pattern = /(?:\bfrom|\bimport|\bimport\(|\bnew URL\()\s*["'](\.[^"']*)["']/g;
  return [...source.matchAll(pattern)].map((match) => ({
    path: match[1] ?? "",
    line: source.slice(0, match.index).split("\n").length,
  }));
}

/** What a file, relative to the sources, imports and may not, in sentences. Files beside the folders may use all. */
function violations(file: string, source: string): string[] {
  const [from, ...inside] = file.split(sep);
  if (from === undefined || inside.length === 0) return [];
  const allowed = mayImport[from];
  if (!allowed) return [`${file}: the folder \`${from}\` is not known to the layers`];
  return named(source).flatMap(({ path, line }) => {
    const [to, ...rest] = relative(sources, resolve(sources, dirname(file), path)).split(sep);
    // A path out of the sources (scenarios, for instance) is no layer; one of a file beside the folders is the top.
    if (to === undefined || to === ".." || to === from || (rest.length > 0 && allowed.includes(to)))
      return [];
    return [
      `${file}:${line}: \`${from}\` may not import from \`${rest.length > 0 ? to : "the application"}\``,
    ];
  });
}

const modules = readdirSync(sources, { recursive: true, encoding: "utf8" }).filter((file) =>
  /\.tsx?$/.test(file),
);

describe("the layers of the page", () => {
  it("are kept by every module", () => {
    const found = modules.flatMap((file) => violations(file, readFileSync(join(sources, file), "utf8")));
    expect(found).toEqual([]);
  });

  it("are named, both, when a module imports from above", () => {
    const source = 'import { scale } from "./ticks";\nexport { store } from "../scenario/store";\n';
    expect(violations(join("charts", "axis.ts"), source)).toEqual([
      `${join("charts", "axis.ts")}:2: \`charts\` may not import from \`scenario\``,
    ]);
  });

  it("hold for workers, dynamic imports and the application itself", () => {
    const source = [
      'new Worker(new URL("../engine/worker.ts", import.meta.url));',
      'const view = await import("../views/Explore");',
      'import { App } from "../App";',
    ].join("\n");
    const targets = violations(join("ui", "x.ts"), source).map(
      (sentence) => sentence.split(" ").slice(-1)[0],
    );
    expect(targets).toEqual(["`engine`", "`views`", "application`"]);
  });

  it("keep drawing, and every package, out of what a run has produced", () => {
    const packages = modules
      .filter((file) => file.startsWith(`run${sep}`) && !file.includes(".test."))
      .flatMap((file) => [...readFileSync(join(sources, file), "utf8").matchAll(/from "([^."][^"]*)"/g)])
      .map(([, name]) => name);
    expect(packages).toEqual([]);
  });

  it("leave the library of primitives to `ui`", () => {
    const users = modules.filter((file) => readFileSync(join(sources, file), "utf8").includes("@base-ui/"));
    expect(users.filter((file) => !file.startsWith(`ui${sep}`))).toEqual([]);
  });

  it("know every folder", () => {
    expect(violations(join("misc", "x.ts"), "")).toHaveLength(1);
  });
});
