import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join, sep } from "node:path";
import { deflateRawSync } from "node:zlib";
import type { Plugin } from "vite";

/** The file of the service worker: in the folder of the page, since it governs that folder and those below. */
export const WORKER = "serviceWorker.js";

/** Where the worker expects the list. */
const PLACE = "__BUILD__";

/** The file that lists the others, for what packs the page. */
const FILE_LIST = "files.json";

/** What is not kept: the worker itself, which the browser keeps, and what only debuggers ask for. */
const isKept = (file: string) => file !== WORKER && !file.endsWith(".map");

const digest = (content: string | Buffer) => createHash("sha256").update(content).digest("base64");

/** The files of a folder by path, each with its digest in the notation of `integrity`. */
function filesOf(folder: string): Record<string, string> {
  const paths = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => statSync(join(folder, path)).isFile())
    .map((path) => path.split(sep).join("/"))
    .filter(isKept)
    .sort();
  return Object.fromEntries(
    paths.map((path) => [path, `sha256-${digest(readFileSync(join(folder, path)))}`]),
  );
}

/** The same with what a package has to know of each: the digest of its bytes, and how many they are, packed. */
const listOf = (folder: string, files: Readonly<Record<string, string>>): string =>
  JSON.stringify(
    Object.fromEntries(
      Object.entries(files).map(([path, digest]) => {
        const packed = deflateRawSync(readFileSync(join(folder, path)), { level: 9 }).length;
        return [path, { digest, packed }];
      }),
    ),
  );

/** Lists the files of the page in one beside them, and in the built service worker, once all of them are written. */
export const precache = (): Plugin => ({
  name: "qoscope:precache",
  apply: "build",
  writeBundle: {
    order: "post",
    sequential: true,
    handler({ dir = "" }) {
      writeFileSync(join(dir, FILE_LIST), listOf(dir, filesOf(dir)));
      // The worker calls the page itself by its address.
      const { "index.html": page = "", ...others } = filesOf(dir);
      const files = { "./": page, ...others };
      const build = JSON.stringify({ version: digest(JSON.stringify(files)), files });
      const path = join(dir, WORKER);
      const source = readFileSync(path, "utf8");
      if (source.split(PLACE).length !== 2) this.error(`${WORKER} does not name ${PLACE} once`);
      writeFileSync(
        path,
        source.replace(PLACE, () => build),
      );
    },
  },
});
