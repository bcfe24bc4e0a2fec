/// <reference lib="webworker" />

import init, { baseOf, expanded, migrated, validate } from "../../generated/wasm/qoscope_wasm.js";
import { DOCUMENT_LIMIT, decodeFragment, decodeView } from "../../scenario/codec.ts";
import { serve } from "../rpc/serve.ts";
import { judge, refusal, refusedBy, type Source, type Verdict } from "./opening.ts";

/**
 * The worker that checks one scenario from outside. Its size comes first, then the engine's reader, which bounds depth and
 * counts; only what the engine accepts is handed on.
 */
const openingApi = { check };

export type OpeningApi = typeof openingApi;

serve(init, openingApi);

async function check(source: Source): Promise<Verdict> {
  if (source.kind === "link") {
    const decoded = decodeFragment(source.fragment);
    if (decoded.kind === "json") {
      const judged = await verdict(decoded.json, source);
      return judged.kind === "accepted" ? { ...judged, view: decodeView(source.fragment) } : judged;
    }
    const { kind, title, sentence } =
      decoded.kind === "none"
        ? {
            kind: "broken" as const,
            title: "This is not a QoScope link",
            sentence: "It has no part after #.",
          }
        : decoded;
    return { kind: "refused", refusal: { kind, title, sentence, diagnostics: [] } };
  }
  const { size } = source.file;
  if (size > DOCUMENT_LIMIT) {
    const megabytes = (bytes: number) => `${Number((bytes / 2 ** 20).toFixed(1))} MiB`;
    const sentence = `It has ${megabytes(size)}; a scenario has at most ${megabytes(DOCUMENT_LIMIT)}.`;
    return { kind: "refused", refusal: refusal("broken", sentence, source) };
  }
  const bytes = await source.file.arrayBuffer().catch(() => null);
  const text = bytes && textOf(bytes);
  if (text) return verdict(text, source);
  return { kind: "refused", refusal: refusal("broken", unreadable(bytes), source) };
}

/** The text that bytes are in UTF-8; null where they are none. */
function textOf(bytes: ArrayBuffer): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** Why a file has no text to check. */
function unreadable(bytes: ArrayBuffer | null): string {
  if (!bytes) return "It could not be read: it is a folder, or has changed since.";
  if (bytes.byteLength === 0) return "It is empty. A scenario is a JSON file.";
  const [one, other] = new Uint8Array(bytes, 0, Math.min(2, bytes.byteLength));
  if (one === 0x1f && other === 0x8b) return "It is packed by gzip. Unpack it first.";
  return "It is not a text file. A scenario is a JSON file; a block trace has lines with columns.";
}

/** The scenario of the page that is a base, by its name, as JSON; all of them if there is none of that name. */
async function basesOf(name: string): Promise<string> {
  const { default: scenarios } = await import("../../generated/scenarios.json");
  const base: unknown = (scenarios as Readonly<Record<string, unknown>>)[name];
  return JSON.stringify(base === undefined ? scenarios : { [name]: base });
}

async function verdict(json: string, source: Source): Promise<Verdict> {
  const base = baseOf(json);
  if (base === undefined) return judge(json, source, { validate, migrated });
  try {
    return judge(expanded(json, await basesOf(base)), source, { validate, migrated });
  } catch (error) {
    // The engine throws its diagnostics as text.
    if (typeof error !== "string") throw error;
    return refusedBy(JSON.parse(error), source);
  }
}
