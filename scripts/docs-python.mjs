/** `npm run docs:python`: the documentation of the Python package from its docstrings, in `.cache/python/docs/`. */
import { log, runOrFail, script } from "./lib/process.mjs";
import { buildWheel, documentation, installWheel, interpreter, preparePython } from "./lib/python.mjs";

await script(async () => {
  await preparePython();
  await installWheel(await buildWheel("dev"));
  await runOrFail(
    interpreter,
    ["-W", "error", "-m", "pdoc", "--no-show-source", "--output-directory", documentation, "qoscope"],
    "The documentation could not be made: see above.",
  );
  log(`The documentation is ${documentation}/index.html`);
});
