import { expect, it } from "vitest";
import { capture } from "../../scripts/lib/process.mjs";
import { workspace } from "../../scripts/lib/rust.mjs";

/** The crates of others in a part of the workspace, each with the features that it is built with. */
function features(parameters: readonly string[]): ReadonlySet<string> {
  const form = ["--locked", "--prefix", "none", "--format", "{p} {f}"];
  const tree = capture("cargo", [
    "tree",
    "--manifest-path",
    `${workspace}/Cargo.toml`,
    ...form,
    ...parameters,
  ]);
  const lines = tree.split("\n").map((line) => line.replace(/ \(\*\)$/, ""));
  return new Set(
    lines.filter((line) => line !== "" && !line.startsWith("qoscope-") && !line.startsWith("xtask ")),
  );
}

const nameOf = (crate: string) => crate.split(" ").slice(0, 2).join(" ");

it("the wheel is linked from crates as tests of the engine have built them: none is built twice", () => {
  const wheel = features(["-p", "qoscope-python", "--edges", "normal,build"]);
  const tests = features(["--workspace", "--edges", "normal,build,dev"]);
  const shared = new Set([...features(["--workspace", "--exclude", "qoscope-python"])].map(nameOf));
  expect(shared.size).toBeGreaterThan(50);
  // What is named here lacks features in `wasm-core/crates/python/Cargo.toml`.
  expect([...wheel].filter((crate) => shared.has(nameOf(crate)) && !tests.has(crate))).toEqual([]);
});
