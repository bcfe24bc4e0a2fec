import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { crates, notices, npmPackages } from "../../scripts/lib/licences.mjs";
import { capture, root } from "../../scripts/lib/process.mjs";

const part = (name: string, texts: readonly string[] = [], licence = "MIT") => ({
  name,
  version: "1.0.0",
  licence,
  home: `https://${name}.example`,
  texts,
});

const folders: string[] = [];
const temporary = () => {
  const folder = mkdtempSync(join(tmpdir(), "qoscope-"));
  folders.push(folder);
  return folder;
};
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

describe("the notices", () => {
  it("list every part by its name, and print a text that several have once", () => {
    const text = notices([part("b", ["Take it.\n\nAs is."]), part("a", ["Take it.\nAs  is.", "Mine."])]);
    expect(text.indexOf("a 1.0.0: MIT. https://a.example")).toBeGreaterThan(0);
    expect(text.indexOf("a 1.0.0: MIT.")).toBeLessThan(text.indexOf("b 1.0.0: MIT."));
    expect(text.match(/Take it\./g)).toHaveLength(1);
    expect(text).toContain("\na 1.0.0, b 1.0.0\n");
    expect(text).toContain("\nMine.\n");
  });

  it("refuse a part that says no licence", () => {
    expect(() => notices([part("a", [], "")])).toThrow("a 1.0.0 says no licence.");
  });
});

it("npm packages are those that the maps of a page name, those of workers and inside of others too", () => {
  const folder = temporary();
  const add = (path: string, name: string) => {
    mkdirSync(join(folder, path), { recursive: true });
    writeFileSync(
      join(folder, path, "package.json"),
      JSON.stringify({ name, version: "2.0.0", license: "ISC" }),
    );
    writeFileSync(join(folder, path, "LICENSE.md"), `Terms of ${name}\r\n`);
  };
  add("node_modules/one", "one");
  add("node_modules/@some/two", "@some/two");
  add("node_modules/one/node_modules/three", "three");
  add("node_modules/unused", "unused");
  mkdirSync(join(folder, "page/assets"), { recursive: true });
  const write = (path: string, sources: readonly string[]) =>
    writeFileSync(join(folder, "page", path), JSON.stringify({ sources }));
  write("worker.js.map", ["../node_modules/one/node_modules/three/index.js", "../web/own.ts"]);
  write("assets/page.js.map", ["../../node_modules/one/a.js", "../../node_modules/@some/two/lib/b.js"]);
  const found = npmPackages(join(folder, "page"));
  expect(found.map(({ name }) => name).sort()).toEqual(["@some/two", "one", "three"]);
  expect(found.find(({ name }) => name === "three")).toMatchObject({
    licence: "ISC",
    texts: ["Terms of three"],
  });
});

it("every crate of others in the wheel has its licence, and the text of it", () => {
  const found = crates(["qoscope-python"]);
  const manifest = join(root, "wasm-core", "crates", "engine", "Cargo.toml");
  const tree = capture("cargo", [
    "tree",
    "--manifest-path",
    manifest,
    "-e",
    "normal,no-proc-macro",
    "--prefix",
    "none",
  ]);
  const engine = [...tree.matchAll(/^(\S+) v(\S+)/gm)].map(([, name, version]) => `${name} ${version}`);
  const names = found.map(({ name, version }) => `${name} ${version}`);
  expect(engine.length).toBeGreaterThan(5);
  expect(engine.filter((crate) => !crate.startsWith("qoscope-") && !names.includes(crate))).toEqual([]);
  expect(found.filter(({ licence, texts }) => licence === "" || texts.length === 0)).toEqual([]);
});
