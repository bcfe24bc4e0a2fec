import { readFileSync } from "node:fs";
import { chromiumPath, chromiumSwitches } from "../chromium.mjs";
import { openWasmPage, runInPage } from "../wasm-page.mjs";
import { peakMemoryMB } from "./memory.mjs";

/** @typedef {import("./targets.mjs").Sample} Sample */

/**
 * Repeated runs in one page of a browser of their own; the first ones also warm up its compiler. Time and memory are
 * those of the process of the page.
 *
 * @param {string} file
 * @param {number} repeat
 * @returns {Promise<Sample[]>}
 */
export async function chromium(file, repeat) {
  const playwright = await import("@playwright/test");
  const executablePath = chromiumPath();
  const browser = await playwright.chromium.launch({
    ...(executablePath ? { executablePath } : {}),
    args: chromiumSwitches,
  });
  try {
    const session = await browser.newBrowserCDPSession();
    const page = await browser.newPage();
    await openWasmPage(page);
    const json = readFileSync(file, "utf8");

    /** The busiest process that draws a page is ours: the browser has no other page. */
    const renderer = async () => {
      const { processInfo } = await session.send("SystemInfo.getProcessInfo");
      const renderers = processInfo.filter(({ type }) => type === "renderer");
      return renderers.reduce((busiest, one) => (one.cpuTime > busiest.cpuTime ? one : busiest));
    };

    /** @type {Sample[]} */
    const samples = [];
    for (let i = 0; i < repeat; i += 1) {
      const before = await renderer();
      const { packetHops, wallSeconds } = await runInPage(page, json);
      const { id, cpuTime } = await renderer();
      const cpuSeconds = Math.min(cpuTime - before.cpuTime, wallSeconds);
      samples.push({ packetHops, wallSeconds, cpuSeconds, peakMemoryMB: peakMemoryMB(id) });
    }
    return samples;
  } finally {
    await browser.close();
  }
}
