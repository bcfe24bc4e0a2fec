import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { parseSync } from "vite";
import { describe, expect, it } from "vitest";

const sources = resolve(import.meta.dirname, "../../web/src");

/**
 * The folders of the page, and the ones that each may import from beside itself. What a run has produced stands apart
 * from who records it and who shows it, and so do answers about many runs. Drawing knows neither the engine nor the scenario: it is given data, and reads from the
 * generated catalogue what there is to draw. What several views share is in `workbench`; views stand on top.
 */
const mayImport: Record<string, readonly string[]> = {
  styles: [],
  generated: [],
  ui: ["styles"],
  run: ["generated"],
  answers: [],
  charts: ["ui", "styles", "run", "answers", "generated"],
  topology: ["ui", "styles", "run", "charts"],
  scenario: ["generated"],
  engine: ["generated", "scenario", "run", "answers"],
  offline: [],
  panels: ["ui", "styles", "run", "answers", "charts", "scenario", "engine"],
  workbench: ["ui", "styles", "run", "answers", "charts", "topology", "panels", "scenario", "engine"],
  views: [
    "ui",
    "styles",
    "run",
    "answers",
    "charts",
    "topology",
    "panels",
    "scenario",
    "engine",
    "offline",
    "workbench",
  ],
};

/** The folders of `engine`, and the ones that each may import from beside itself. */
const mayImportInEngine: Record<string, readonly string[]> = {
  rpc: [],
  files: ["rpc"],
  run: ["rpc", "files"],
  campaign: ["rpc"],
  plan: ["rpc", "run"],
};

/**
 * The folder of the shell. It and the files beside the folders of views (the application, the registry, the address) may import
 * from every view.
 */
const SHELL = "frame";

/** What tests of a view may import from beside the folders of views. */
const FOR_TESTS = ["testPage.tsx", "registry.ts"];

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
    // Types of documents and answers are for all.
    if (to === "generated" && /^\w+\.d\.ts$/.test(rest.join("/"))) return [];
    // A path out of the sources (scenarios, for instance) is no layer; one of a file beside the folders is the top.
    if (to === undefined || to === ".." || to === from || (rest.length > 0 && allowed.includes(to)))
      return [];
    return [
      `${file}:${line}: \`${from}\` may not import from \`${rest.length > 0 ? to : "the application"}\``,
    ];
  });
}

/** What a file of the engine imports from a folder of the engine that is not below its own, in sentences. */
function violationsInEngine(file: string, source: string): string[] {
  const [layer, from, ...inside] = file.split(sep);
  if (layer !== "engine" || from === undefined) return [];
  const allowed = mayImportInEngine[from];
  if (inside.length === 0 || !allowed) return [`${file}: \`engine\` has no folder \`${from}\` for it`];
  return named(source).flatMap(({ path, line }) => {
    const [to, folder = ""] = relative(sources, resolve(sources, dirname(file), path)).split(sep);
    if (to !== "engine" || folder === from || allowed.includes(folder)) return [];
    return [`${file}:${line}: \`engine/${from}\` may not import from \`engine/${folder}\``];
  });
}

/** What a file below the folder of a view imports from another view or from the application, in sentences. */
function foreignViews(file: string, source: string): string[] {
  const [layer, view, ...inside] = file.split(sep);
  if (layer !== "views" || view === undefined || inside.length === 0 || view === SHELL) return [];
  return named(source).flatMap(({ path, line }) => {
    const [to, other, ...rest] = relative(sources, resolve(sources, dirname(file), path)).split(sep);
    if (to !== "views" || other === undefined || other === view) return [];
    if (rest.length === 0 && file.includes(".test.") && FOR_TESTS.includes(other)) return [];
    return [
      `${file}:${line}: the view \`${view}\` may not import from \`${[to, other, ...rest].join("/")}\``,
    ];
  });
}

/**
 * The modules that a module imports when it runs: static and dynamic imports and exports from another, in which types
 * alone do not count. The script of a worker is a program of its own and does not count either.
 */
function importedBy(file: string, source: string): string[] {
  const { staticImports, staticExports, dynamicImports } = parseSync(file, source).module;
  const statements = [...staticImports, ...staticExports].map(({ start, end }) => source.slice(start, end));
  const paths = [
    ...statements
      .filter((statement) => !/^(?:import|export)\s+type\b/.test(statement))
      .map((statement) => /\bfrom\s*"([^"]*)"|^import\s*"([^"]*)"/.exec(statement))
      .map((match) => match?.[1] ?? match?.[2] ?? ""),
    ...dynamicImports.map(({ moduleRequest: { start, end } }) => source.slice(start + 1, end - 1)),
  ];
  return paths.filter((path) => path.startsWith(".")).map((path) => join(dirname(file), path));
}

/** The cycles that a walk over imports meets, each from a module back to itself. */
function cyclesOf(imports: ReadonlyMap<string, readonly string[]>): string[][] {
  const done = new Set<string>();
  const way: string[] = [];
  const cycles: string[][] = [];
  const visit = (file: string): void => {
    const at = way.indexOf(file);
    if (at >= 0) cycles.push([...way.slice(at), file]);
    if (at >= 0 || done.has(file)) return;
    way.push(file);
    for (const next of imports.get(file) ?? []) visit(next);
    way.pop();
    done.add(file);
  };
  for (const file of imports.keys()) visit(file);
  return cycles;
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
      'new Worker(new URL("../engine/run/worker.ts", import.meta.url));',
      'const view = await import("../views/Explore");',
      'import { App } from "../App";',
    ].join("\n");
    const targets = violations(join("ui", "x.ts"), source).map(
      (sentence) => sentence.split(" ").slice(-1)[0],
    );
    expect(targets).toEqual(["`engine`", "`views`", "application`"]);
  });

  it("have layers among the folders of the engine", () => {
    const found = modules.flatMap((file) =>
      violationsInEngine(file, readFileSync(join(sources, file), "utf8")),
    );
    expect(found).toEqual([]);
  });

  it("name an import of the engine from above, and a module without a folder", () => {
    const source =
      'import { Session } from "../../run/session.ts";\nimport { rate } from "../../../run/read.ts";';
    const file = join("engine", "campaign", "fit", "x.ts");
    expect(violationsInEngine(file, source)).toEqual([
      `${file}:1: \`engine/campaign\` may not import from \`engine/run\``,
    ]);
    expect(violationsInEngine(join("engine", "x.ts"), "")).toHaveLength(1);
  });

  it("let no view import another view", () => {
    const found = modules.flatMap((file) => foreignViews(file, readFileSync(join(sources, file), "utf8")));
    expect(found).toEqual([]);
  });

  it("name a view that imports another one or the application, whichever way it does", () => {
    const source = [
      'import type { Answer } from "../sweep/answer.ts";',
      'const part = () => import("../share/rack/RackDialog.tsx");',
      'import { VIEWS } from "../registry.ts";',
      'import { own } from "./network/tools.ts";',
      'import { shared } from "../../workbench/actions.ts";',
    ].join("\n");
    const explore = join("views", "explore", "x.ts");
    expect(foreignViews(explore, source)).toEqual([
      `${explore}:1: the view \`explore\` may not import from \`views/sweep/answer.ts\``,
      `${explore}:2: the view \`explore\` may not import from \`views/share/rack/RackDialog.tsx\``,
      `${explore}:3: the view \`explore\` may not import from \`views/registry.ts\``,
    ]);
    expect(foreignViews(join("views", "explore", "x.test.ts"), source)).toHaveLength(2);
    expect(foreignViews(join("views", SHELL, "x.ts"), source)).toEqual([]);
    expect(foreignViews(join("views", "registry.ts"), source)).toEqual([]);
  });

  it("have no cycle of modules that import each other's values", () => {
    const imports = new Map(
      modules.map((file) => [file, importedBy(file, readFileSync(join(sources, file), "utf8"))]),
    );
    expect(cyclesOf(imports).map((cycle) => cycle.join(" -> "))).toEqual([]);
  });

  it("find a cycle through exports and dynamic imports, and none through types", () => {
    const imports = new Map([
      ["a.ts", importedBy("a.ts", 'import { type B, b } from "./b.ts";')],
      ["b.ts", importedBy("b.ts", 'export { c } from "./c.ts";')],
      ["c.ts", importedBy("c.ts", 'const a = () => import("./a.ts");')],
      ["d.ts", importedBy("d.ts", 'import type { E } from "./e.ts";')],
      ["e.ts", importedBy("e.ts", 'import { d } from "./d.ts";')],
    ]);
    expect(cyclesOf(imports)).toEqual([["a.ts", "b.ts", "c.ts", "a.ts"]]);
  });

  it("keep drawing, and every package, out of what runs have produced", () => {
    const packages = modules
      .filter((file) => /^(?:run|answers)[\\/]/.test(file) && !file.includes(".test."))
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
