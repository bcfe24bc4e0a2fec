import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Plugin } from "vite";
import { notices, pageParts } from "../../scripts/lib/licences.mjs";

/** The file of the page that says what others made of it, and under which terms. */
const LICENCES = "licences.txt";

/** Writes it, once the page and the source maps that tell what is in it are written. */
export const licences = (): Plugin => ({
  name: "qoscope:licences",
  apply: "build",
  writeBundle: {
    order: "post",
    sequential: true,
    handler({ dir = "" }) {
      writeFileSync(join(dir, LICENCES), notices(pageParts(dir)));
    },
  },
});
