/** `node scripts/icons.mjs`: draws the icons of the installed page from `public/icons/icon.svg`. Commit what it writes. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { chromiumSwitches } from "./lib/chromium.mjs";
import { prepareChromium } from "./lib/prepare.mjs";
import { log, root, script } from "./lib/process.mjs";

const folder = join(root, "public/icons");

/** Systems cut those that fill their square to a shape of their own. */
const icons = [
  { name: "icon-192", size: 192, fills: false },
  { name: "icon-512", size: 512, fills: false },
  { name: "icon-maskable-512", size: 512, fills: true },
  { name: "apple-touch-icon", size: 180, fills: true },
];

await script(async () => {
  const executablePath = await prepareChromium();
  const { chromium } = await import("@playwright/test");
  const browser = await chromium.launch({ executablePath, args: chromiumSwitches });
  const drawing = readFileSync(join(folder, "icon.svg"), "utf8");
  try {
    for (const { name, size, fills } of icons) {
      const page = await browser.newPage({ viewport: { width: size, height: size } });
      const svg = fills ? drawing.replace(' rx="7"', "") : drawing;
      await page.setContent(`<style>body { margin: 0 } svg { display: block }</style>${svg}`);
      await page.screenshot({ path: join(folder, `${name}.png`), omitBackground: true });
      await page.close();
    }
  } finally {
    await browser.close();
  }
  log("The icons are in public/icons/");
});
