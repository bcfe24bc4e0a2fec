import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";

/** Names under which systems install Firefox. */
const names = ["firefox", "firefox-esr"];

/** Where macOS and Windows put it, outside the PATH. */
const places = [
  "/Applications/Firefox.app/Contents/MacOS/firefox",
  "C:\\Program Files\\Mozilla Firefox\\firefox.exe",
];

/**
 * The Firefox on this machine: `FIREFOX` if set, else the first known name on the PATH.
 *
 * @returns {string | undefined} path of the executable
 */
export function firefoxPath() {
  const set = process.env.FIREFOX;
  if (set) return existsSync(set) ? set : undefined;
  const folders = (process.env.PATH ?? "").split(delimiter);
  const onPath = names.flatMap((name) => folders.map((folder) => join(folder, name)));
  return [...onPath, ...places].find((path) => existsSync(path));
}
