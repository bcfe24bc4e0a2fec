/** `npm run dev`: serves the explorer from its sources; an edit shows at once. Run it again after a change of the Rust. */
import { prepareSources } from "./lib/prepare.mjs";
import { script } from "./lib/process.mjs";

await script(async () => {
  await prepareSources();
  const { createServer } = await import("vite");
  const server = await createServer();
  await server.listen();
  server.printUrls();
});
