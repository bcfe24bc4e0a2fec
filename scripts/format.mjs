/** `npm run format`: formats all sources, and mends what the linter can mend by itself. */
import { existsSync } from "node:fs";
import { preparePackages } from "./lib/prepare.mjs";
import { log, run, script, tools } from "./lib/process.mjs";
import { packageFolder, pythonSources, tool } from "./lib/python.mjs";
import { cargo } from "./lib/rust.mjs";

await script(async () => {
  await preparePackages();
  const rust = await cargo(["fmt", "--all"]);
  const web = await run(process.execPath, [tools.biome, "check", "--write", "."]);
  return Math.max(rust.code, web.code, await formatPython());
});

/** Of Python what the stage of the tests has made an environment for; most who write for the page need none. */
async function formatPython() {
  const ruff = tool("ruff");
  if (!existsSync(ruff)) {
    log("The Python sources were left as they are: npm test -- --only python installs what formats them.");
    return 0;
  }
  const mended = await run(ruff, ["check", "--fix", ...pythonSources], { cwd: packageFolder });
  const formatted = await run(ruff, ["format", ...pythonSources], { cwd: packageFolder });
  return Math.max(mended.code, formatted.code);
}
