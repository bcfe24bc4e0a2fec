/** `npm start`: prepares what is missing, builds the explorer, serves it and prints its address. */
import { preparePage } from "./lib/prepare.mjs";
import { log, script } from "./lib/process.mjs";

/** The first port that is tried; the next ones follow if others hold it. */
const port = 4173;

await script(async () => {
  await preparePage();
  const { preview } = await import("vite");
  const server = await preview({ preview: { port, strictPort: false }, logLevel: "warn" });
  log(`The explorer is at ${server.resolvedUrls?.local[0]} (Ctrl+C ends it)`);
});
