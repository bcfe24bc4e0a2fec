import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { licences } from "./web/build/licences.ts";
import { packed } from "./web/build/packed.ts";
import { contentSecurityPolicy } from "./web/build/policy.ts";
import { precache, WORKER } from "./web/build/precache.ts";

const folder = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** The explorer is plain files: `base` is relative, so that `dist/` can be served from any path of any host. */
export default defineConfig({
  root: folder("web"),
  base: "./",
  publicDir: folder("public"),
  cacheDir: folder(".cache/vite"),
  plugins: [react(), contentSecurityPolicy(), licences(), precache(), packed()],
  worker: {
    format: "es",
    rolldownOptions: {
      output: {
        entryFileNames: ({ name }) => (`${name}.js` === WORKER ? WORKER : "assets/[name]-[hash].js"),
      },
    },
  },
  build: {
    outDir: folder("dist"),
    emptyOutDir: true,
    target: "es2023",
    sourcemap: true,
    // One style sheet, before the page appears: a part whose own sheet failed once would come back without it.
    cssCodeSplit: false,
    rolldownOptions: {
      checks: { bundlerTimings: false, pluginTimings: false },
      // What the page starts with is one script, and what the first view adds another, each with all that it uses: in parts,
      // which others share, they pack worse and take more requests.
      output: {
        codeSplitting: {
          groups: [
            { name: "page", tags: ["$initial"] },
            { name: "Explore", test: /views\/explore\/Explore\.tsx$/ },
          ],
        },
      },
    },
  },
  // The presets of the page are read from scenarios/, which stands beside web/.
  server: { fs: { allow: [folder(".")] } },
});
