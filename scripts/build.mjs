/** `npm run build`: the explorer as plain files in `dist/`, to be served from anywhere. */
import { preparePage } from "./lib/prepare.mjs";
import { log, script } from "./lib/process.mjs";

await script(async () => {
  await preparePage();
  log("The explorer is in dist/");
});
