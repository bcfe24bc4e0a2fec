import { existsSync, readFileSync, statSync } from "node:fs";
import { extname, join, resolve } from "node:path";
import { gzipSync } from "node:zlib";
import type { Plugin } from "vite";

/** Types of the files that pack well. */
const TYPES: Readonly<Record<string, string>> = {
  ".css": "text/css",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".svg": "image/svg+xml",
  ".wasm": "application/wasm",
  ".webmanifest": "application/manifest+json",
};

/** Has `npm start` send the built page packed, as `docs/hosting.md` asks of every host. Each file is packed once. */
export const packed = (): Plugin => ({
  name: "qoscope:packed",
  configurePreviewServer({ config, middlewares }) {
    const folder = resolve(config.root, config.build.outDir);
    const files = new Map<string, { readonly modified: number; readonly content: Buffer }>();
    const pack = (path: string): Buffer => {
      const modified = statSync(path).mtimeMs;
      const known = files.get(path);
      if (known?.modified === modified) return known.content;
      const content = gzipSync(readFileSync(path));
      files.set(path, { modified, content });
      return content;
    };
    middlewares.use((request, response, next) => {
      const { pathname } = new URL(request.url ?? "", "http://localhost");
      const path = join(folder, pathname.endsWith("/") ? `${pathname}index.html` : pathname);
      const type = TYPES[extname(path)];
      const accepts = /\bgzip\b/.test(String(request.headers["accept-encoding"]));
      const asked = request.method === "GET" && request.headers.range === undefined;
      if (!type || !accepts || !asked || !path.startsWith(folder) || !existsSync(path)) return next();
      const content = pack(path);
      response.writeHead(200, {
        "Content-Type": type,
        "Content-Encoding": "gzip",
        "Content-Length": content.length,
        "Cache-Control": pathname.startsWith("/assets/") ? "public, max-age=31536000, immutable" : "no-cache",
        Vary: "Accept-Encoding",
      });
      response.end(content);
    });
  },
});
