/** `npm run -s sim -- ...`: the command line, native. It is built first where that is needed. */
import { run, script } from "./lib/process.mjs";
import { buildNative, nativeProgram } from "./lib/rust.mjs";

await script(async () => {
  await buildNative();
  // Paths are meant from where the person stands; npm itself moves to the project.
  const cwd = process.env.INIT_CWD ?? process.cwd();
  return (await run(nativeProgram, process.argv.slice(2), { cwd })).code;
});
