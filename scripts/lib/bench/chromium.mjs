import { readFileSync } from "node:fs";
import { chromiumPath, chromiumSwitches } from "../chromium.mjs";
import { openWasmPage, runInPage } from "../wasm-page.mjs";
import { mainThreadSeconds, peakMemoryMB } from "./linux.mjs";

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

    /** The processes that draw pages, and the CPU time of each so far: the browser keeps a spare one beside ours. */
    const renderers = async () => {
      const { processInfo } = await session.send("SystemInfo.getProcessInfo");
      const pids = processInfo.filter(({ type }) => type === "renderer").map(({ id }) => id);
      return new Map(pids.map((pid) => [pid, mainThreadSeconds(pid)]));
    };

    /** @type {Sample[]} */
    const samples = [];
    for (let i = 0; i < repeat; i += 1) {
      const before = await renderers();
      const { packetHops, requests, wallSeconds } = await runInPage(page, json);
      const spent = [...(await renderers())].map(([pid, seconds]) => ({
        pid,
        seconds: (seconds ?? Infinity) - (before.get(pid) ?? 0),
      }));
      const ours = spent.reduce((busiest, one) => (one.seconds > busiest.seconds ? one : busiest));
      const cpuSeconds = Math.min(ours.seconds, wallSeconds);
      samples.push({ packetHops, requests, wallSeconds, cpuSeconds, peakMemoryMB: peakMemoryMB(ours.pid) });
    }
    return samples;
  } finally {
    await browser.close();
  }
}
