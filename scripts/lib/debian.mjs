import { existsSync } from "node:fs";
import { run } from "./process.mjs";

/** Whether this script may install Debian packages: Debian or a relative, and root. */
export function canInstall() {
  return existsSync("/usr/bin/apt-get") && process.getuid?.() === 0;
}

/**
 * Installs Debian packages, with an old list of packages first and a new one if that does not do.
 *
 * @param {readonly string[]} packages
 * @returns {Promise<boolean>} whether they are installed now
 */
export async function install(packages) {
  const apt = (/** @type {string[]} */ ...parameters) =>
    run("apt-get", parameters, { output: "capture", env: { DEBIAN_FRONTEND: "noninteractive" } });
  const parameters = ["install", "-y", "--no-install-recommends", ...packages];
  if ((await apt(...parameters)).code === 0) return true;
  await apt("update");
  return (await apt(...parameters)).code === 0;
}
