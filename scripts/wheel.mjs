/**
 * `npm run wheel`: the wheel of the Python package as it is handed out, in `python/dist/`, tried where nothing else is installed. With
 * `-- --manylinux` it is linked by Zig against the C library of Linux systems from 2014 on, as the index of Python packages wants it.
 */
import { join } from "node:path";
import { parseArgs } from "node:util";
import { log, script } from "./lib/process.mjs";
import { buildWheel, packageFolder, preparePython, prepareZig, smoke } from "./lib/python.mjs";

await script(async () => {
  const { values } = parseArgs({ options: { manylinux: { type: "boolean" } } });
  await preparePython();
  if (values.manylinux) await prepareZig();
  const old = values.manylinux ? ["--zig", "--compatibility", "manylinux_2_17"] : [];
  const wheel = await buildWheel("wheel", join(packageFolder, "dist"), old);
  log(`The wheel is ${wheel}`);
  return smoke(wheel);
});
