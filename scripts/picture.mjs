/** `npm run picture`: takes the picture in the README from the built page. */
import { join } from "node:path";
import { chromiumSwitches } from "./lib/chromium.mjs";
import { prepareChromium, preparePage } from "./lib/prepare.mjs";
import { log, root, script } from "./lib/process.mjs";

const file = "docs/images/explore.png";

/** When in the run it is taken, in simulated microseconds: the classes of the first scenario have converged by then. */
const instantUs = 14000;

await script(async () => {
  await preparePage();
  const executablePath = await prepareChromium();
  const { preview } = await import("vite");
  const { chromium } = await import("@playwright/test");
  const server = await preview({ preview: { port: 0 }, logLevel: "error" });
  const browser = await chromium.launch({ executablePath, args: chromiumSwitches });
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, deviceScaleFactor: 2 });
    await page.goto(server.resolvedUrls?.local[0] ?? "");
    await page.waitForFunction((us) => Number(document.documentElement.dataset.timeUs) > us, instantUs);
    await page.keyboard.press("Space");
    await page.waitForSelector("html[data-run-state=paused]");
    await page.screenshot({ path: join(root, file) });
  } finally {
    await browser.close();
    await server.close();
  }
  log(`${file} is written`);
});
