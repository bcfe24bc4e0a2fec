import type { Plugin } from "vite";

/**
 * What the page may load, run and reach: its own files, and nothing else. Pictures of charts pass through `blob:` addresses.
 * WebAssembly is compiled; no text ever becomes a script.
 */
export const POLICY = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");

/** Writes the policy into the built page, before anything that it governs. The development server needs inline scripts. */
export const contentSecurityPolicy = (): Plugin => ({
  name: "qoscope:policy",
  apply: "build",
  transformIndexHtml: () => [
    {
      tag: "meta",
      attrs: { "http-equiv": "Content-Security-Policy", content: POLICY },
      injectTo: "head-prepend",
    },
  ],
});
