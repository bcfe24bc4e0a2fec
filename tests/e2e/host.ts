import { existsSync, readFileSync, statSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { POLICY } from "../../web/build/policy.ts";

const dist = join(import.meta.dirname, "../../dist");

const TYPES: Readonly<Record<string, string>> = {
  css: "text/css",
  html: "text/html; charset=utf-8",
  js: "text/javascript",
  png: "image/png",
  svg: "image/svg+xml",
  wasm: "application/wasm",
  webmanifest: "application/manifest+json",
  woff2: "font/woff2",
};

/** A host as `docs/hosting.md` asks for: plain files below some path, with headers. */
export interface Host {
  /** Address of the page; ends with a slash. */
  readonly address: string;
  /** Files that are served instead of those of the build, or beside them. */
  readonly files: Map<string, string>;
  /** Paths that were asked for and are not there. */
  readonly missed: string[];
  close(): Promise<void>;
}

/** Serves the built page below a path, which ends with a slash. */
export async function hostPage(path: string): Promise<Host> {
  const files = new Map<string, string>();
  const missed: string[] = [];
  const server = createServer(({ url = "" }, response) => {
    const { pathname } = new URL(url, "http://host.invalid");
    const name = pathname.startsWith(path) ? pathname.slice(path.length) || "index.html" : "";
    const content = name === "" ? undefined : (files.get(name) ?? built(name));
    if (content === undefined) missed.push(pathname);
    response.writeHead(content === undefined ? 404 : 200, {
      "Content-Type": TYPES[name.split(".").at(-1) ?? ""] ?? "text/plain",
      "Content-Security-Policy": `${POLICY}; frame-ancestors *`,
      "Cache-Control": name.startsWith("assets/") ? "public, max-age=31536000, immutable" : "no-cache",
      "X-Content-Type-Options": "nosniff",
    });
    response.end(content);
  });
  await new Promise<void>((resolve) => server.listen(0, "localhost", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    address: `http://localhost:${port}${path}`,
    files,
    missed,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** A file of the build, by its path; nothing where there is none. */
export function built(name: string): Buffer | undefined {
  const path = join(dist, name);
  return path.startsWith(dist) && existsSync(path) && statSync(path).isFile()
    ? readFileSync(path)
    : undefined;
}
