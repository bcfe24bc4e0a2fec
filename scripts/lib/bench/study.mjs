/**
 * The bench of a study: all of its runs on all cores, by the command line and by the page, and one of them alone by the command line, by which
 * both are told how much of the machine they make use of.
 */
import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { chromiumPath, chromiumSwitches } from "../chromium.mjs";
import { prepareChromium, preparePage } from "../prepare.mjs";
import { root, run, UserError } from "../process.mjs";
import { buildNative, nativeProgram } from "../rust.mjs";

/**
 * @typedef {object} Timed
 * @property {string} target
 * @property {number} runs
 * @property {number} seconds from the start to the answer, on the clock of the wall
 */

const name = "three-writers-k";
const file = join(root, "scenarios/studies", `${name}.json`);

/** Runs of it: 14 values under 8 seeds. */
const RUNS = 112;

/**
 * The program, with how long it took.
 *
 * @param {string[]} parameters
 */
async function timed(parameters) {
  const from = performance.now();
  const { code, output } = await run(nativeProgram, parameters, { output: "capture" });
  const seconds = (performance.now() - from) / 1000;
  if (code !== 0) throw new UserError(`qoscope ${parameters.join(" ")} failed:\n${output}`);
  return seconds;
}

/** @returns {Promise<Timed[]>} */
async function native() {
  const { scenario } = JSON.parse(readFileSync(file, "utf8"));
  const one = await timed(["run", join(root, "scenarios/presets", `${scenario}.json`), "--format", "json"]);
  const jobs = String(availableParallelism());
  const all = await timed(["study", "run", file, "--jobs", jobs, "--format", "json"]);
  return [
    { target: "native, one run", runs: 1, seconds: one },
    { target: "native, study", runs: RUNS, seconds: all },
  ];
}

/**
 * In a window of its own, which keeps nothing from before: from the click on Start to the answer.
 *
 * @returns {Promise<Timed>}
 */
async function page() {
  const playwright = await import("@playwright/test");
  const { preview } = await import("vite");
  const server = await preview({ preview: { port: 0 }, logLevel: "error" });
  const executablePath = chromiumPath();
  const browser = await playwright.chromium.launch({
    ...(executablePath ? { executablePath } : {}),
    args: chromiumSwitches,
  });
  try {
    const window = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    await window.goto(server.resolvedUrls?.local[0] ?? "");
    await window.locator("html[data-run-state]").waitFor();
    await window.evaluate(
      (text) => {
        const dataTransfer = new DataTransfer();
        dataTransfer.items.add(new File([text], "study.json"));
        document.body.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
      },
      readFileSync(file, "utf8"),
    );
    const start = window.getByRole("button", { name: "Start", exact: true });
    await start.waitFor();
    const seconds = await start.evaluate(
      (button) =>
        new Promise((resolve) => {
          const from = performance.now();
          new MutationObserver((_, observer) => {
            if (!document.querySelector(".study-progress")?.textContent?.includes("Done")) return;
            observer.disconnect();
            resolve((performance.now() - from) / 1000);
          }).observe(document.body, { subtree: true, childList: true, characterData: true });
          /** @type {HTMLElement} */ (button).click();
        }),
    );
    return { target: "page, study", runs: RUNS, seconds: /** @type {number} */ (seconds) };
  } finally {
    await browser.close();
    await new Promise((resolve) => server.httpServer.close(resolve));
  }
}

/**
 * The best of the repeats of each, taken in turns, so that a machine that is busy otherwise slows all of them.
 *
 * @param {number} repeat
 * @returns {Promise<Timed[]>}
 */
export async function benchStudy(repeat) {
  await buildNative();
  await preparePage();
  await prepareChromium();
  /** @type {Map<string, Timed>} */
  const best = new Map();
  for (let i = 0; i < repeat; i += 1) {
    for (const sample of [...(await native()), await page()]) {
      const before = best.get(sample.target);
      if (!before || sample.seconds < before.seconds) best.set(sample.target, sample);
    }
  }
  return [...best.values()];
}
