import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { capture, root } from "../../scripts/lib/process.mjs";
import { VERSION } from "../../web/src/generated/version.ts";

const json = (path: string) => JSON.parse(readFileSync(`${root}/${path}`, "utf8"));

it("page, packages and every crate have one version: that of the engine", () => {
  const manifest = `${root}/wasm-core/Cargo.toml`;
  const metadata = capture("cargo", [
    "metadata",
    "--no-deps",
    "--format-version=1",
    "--manifest-path",
    manifest,
  ]);
  const { packages } = JSON.parse(metadata) as { packages: { name: string; version: string }[] };
  const crates = Object.fromEntries(packages.map(({ name, version }) => [name, version]));
  expect(crates).toMatchObject({
    "qoscope-engine": VERSION,
    "qoscope-cli": VERSION,
    "qoscope-python": VERSION,
  });
  expect([...new Set(Object.values(crates))]).toEqual([VERSION]);
  expect(json("package.json").version).toBe(VERSION);
  expect(json("package-lock.json").version).toBe(VERSION);
});
