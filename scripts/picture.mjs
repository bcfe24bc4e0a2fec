/** `npm run picture`: takes the pictures in the README from the built page. */
import { join } from "node:path";
import { chromiumSwitches } from "./lib/chromium.mjs";
import { prepareChromium, preparePage } from "./lib/prepare.mjs";
import { log, root, script } from "./lib/process.mjs";

/** When in the run Explore is shown, in simulated microseconds: the classes of the first scenario have converged by then. */
const instantUs = 14000;

/**
 * What is shown: where it is written, the link that is opened, and what a person does before.
 *
 * @type {readonly { file: string, link: string, act: (page: import("@playwright/test").Page) => Promise<void> }[]}
 */
const pictures = [
  {
    file: "docs/images/explore.png",
    link: "",
    async act(page) {
      await page.waitForFunction((us) => Number(document.documentElement.dataset.timeUs) > us, instantUs);
      await page.keyboard.press("Space");
      await page.waitForSelector("html[data-run-state=paused]");
    },
  },
  {
    file: "docs/images/learn.png",
    link: "#learn=2.3",
    async act(page) {
      const step = page.getByRole("region", { name: "Why not make K tiny?" });
      await step.getByRole("radio").first().check({ force: true });
      await step.getByRole("button", { name: "Lock in" }).click();
      await step.getByRole("button", { name: "Run", exact: true }).click();
      await step.getByText("Not as you predicted.").waitFor();
    },
  },
];

await script(async () => {
  await preparePage();
  const executablePath = await prepareChromium();
  const { preview } = await import("vite");
  const { chromium } = await import("@playwright/test");
  const server = await preview({ preview: { port: 0 }, logLevel: "error" });
  const browser = await chromium.launch({ executablePath, args: chromiumSwitches });
  try {
    for (const { file, link, act } of pictures) {
      const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, deviceScaleFactor: 2 });
      await page.goto(`${server.resolvedUrls?.local[0] ?? ""}${link}`);
      await act(page);
      await page.screenshot({ path: join(root, file) });
      log(`${file} is written`);
    }
  } finally {
    await browser.close();
    await server.close();
  }
});
