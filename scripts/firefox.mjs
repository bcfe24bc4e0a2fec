/** `npm run test:firefox`: the built page in Firefox, where there is one. */
import { firefoxPath } from "./lib/firefox.mjs";
import { preparePage } from "./lib/prepare.mjs";
import { log, run, script, tools } from "./lib/process.mjs";

await script(async () => {
  const firefox = firefoxPath();
  if (!firefox) {
    log("Skipped: there is no Firefox here. Install it, or set FIREFOX to the path of its executable.");
    return 0;
  }
  await preparePage();
  const { preview } = await import("vite");
  const server = await preview({ preview: { port: 0 }, logLevel: "error" });
  try {
    const env = { FIREFOX: firefox, QOSCOPE_PAGE: server.resolvedUrls?.local[0] ?? "" };
    const parameters = [tools.vitest, "run", "--config", "tests/firefox/vitest.config.ts"];
    return (await run(process.execPath, parameters, { env })).code;
  } finally {
    await server.close();
  }
});
