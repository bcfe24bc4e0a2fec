/** `npm run format`: formats all sources, and mends what the linter can mend by itself. */
import { preparePackages } from "./lib/prepare.mjs";
import { run, script, tools } from "./lib/process.mjs";
import { cargo } from "./lib/rust.mjs";

await script(async () => {
  await preparePackages();
  const rust = await cargo(["fmt", "--all"]);
  const web = await run(process.execPath, [tools.biome, "check", "--write", "."]);
  return Math.max(rust.code, web.code);
});
