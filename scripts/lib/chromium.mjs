import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";

/** Names under which systems install a Chromium-like browser. */
const names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"];

/** Where macOS and Windows put it, outside the PATH. */
const places = [
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
];

/**
 * Switches for every start of the browser by a script: no connections of its own, and no sandbox, which root in a
 * container cannot have.
 */
export const chromiumSwitches = [
  "--no-sandbox",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--no-first-run",
];

/**
 * The browser on this machine: `CHROMIUM` if set, else the first known name on the PATH.
 *
 * @returns {string | undefined} path of the executable
 */
export function chromiumPath() {
  const set = process.env.CHROMIUM;
  if (set) return existsSync(set) ? set : undefined;
  const folders = (process.env.PATH ?? "").split(delimiter);
  const onPath = names.flatMap((name) => folders.map((folder) => join(folder, name)));
  return [...onPath, ...places].find((path) => existsSync(path));
}
