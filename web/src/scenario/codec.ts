import { deflateSync, Inflate } from "fflate";
import type { Scenario } from "./types.ts";

/**
 * A scenario as a link fragment: `#1.` and the document's JSON, deflated, in base64url. The number is the version of
 * this wrapping; the document carries its own, which the engine migrates.
 */
export const LINK_VERSION = 1;

/** Version of the scenario document that this page knows. */
const DOCUMENT_VERSION = 1;

/** Longest link that chat programs and course pages take without harm. */
export const LINK_LIMIT = 2000;

/** Most text a link may unpack to: far above any scenario, far below what would hurt. */
const UNPACKED_LIMIT = 4_000_000;

/** Turns the content of a link of the version before into that of the version named. */
const UPGRADERS: Readonly<Record<number, (document: unknown) => unknown>> = {};

export type Decoded =
  | { readonly kind: "scenario"; readonly scenario: Scenario }
  | { readonly kind: "none" }
  | { readonly kind: "newer"; readonly title: string; readonly sentence: string }
  | { readonly kind: "broken"; readonly title: string; readonly sentence: string };

/** The fragment of a scenario, `#` included. */
export function encodeFragment(scenario: Scenario): string {
  const packed = deflateSync(new TextEncoder().encode(JSON.stringify(scenario)), { level: 9, mem: 8 });
  let binary = "";
  for (const byte of packed) binary += String.fromCharCode(byte);
  const text = btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
  return `#${LINK_VERSION}.${text}`;
}

/** Reads the fragment of an address. */
export function decodeFragment(fragment: string): Decoded {
  const text = fragment.replace(/^#/, "").trim();
  if (text === "") return { kind: "none" };
  const [, number, packed = ""] = /^(\d+)\.([\w-]*)$/.exec(text) ?? [];
  if (number === undefined)
    return broken("This is not a QoScope link", "The part after # is not a scenario.");
  const version = Number(number);
  if (version > LINK_VERSION) return newer(`Link format ${version}, this page knows up to ${LINK_VERSION}.`);
  const { text: json, whole } = unpack(packed);
  if (!whole) {
    const name = /"name":"((?:[^"\\]|\\.)*)"/.exec(json)?.[1];
    const read = name === undefined ? "" : ` The name could be read: “${name}”.`;
    return broken(
      "The link is incomplete",
      `Its end is missing or damaged, perhaps cut by a mail program.${read}`,
    );
  }
  return upgrade(json, version);
}

function upgrade(json: string, version: number): Decoded {
  let document: unknown;
  try {
    document = JSON.parse(json);
  } catch {
    return broken(
      "The link is damaged",
      "What it holds is not a scenario. Copy it again from where it came.",
    );
  }
  for (let next = version + 1; next <= LINK_VERSION; next++) document = UPGRADERS[next]?.(document);
  if (typeof document !== "object" || document === null || !("classes" in document)) {
    return broken(
      "The link is damaged",
      "What it holds is not a scenario. Copy it again from where it came.",
    );
  }
  const own = (document as { version?: unknown }).version;
  if (typeof own === "number" && own > DOCUMENT_VERSION) {
    return newer(`Scenario format ${own}, this page knows up to ${DOCUMENT_VERSION}.`);
  }
  return { kind: "scenario", scenario: document as Scenario };
}

const broken = (title: string, sentence: string): Decoded => ({ kind: "broken", title, sentence });

const newer = (what: string): Decoded => ({
  kind: "newer",
  title: "This link was made with a newer QoScope",
  sentence: `${what} Opening it here could silently change the scenario, so it was not opened.`,
});

/** Unpacks as far as it goes; `whole` says whether that was everything. Bounded in size. */
function unpack(packed: string): { readonly text: string; readonly whole: boolean } {
  const decoder = new TextDecoder();
  let text = "";
  let whole = false;
  try {
    const bytes = Uint8Array.from(atob(packed.replaceAll("-", "+").replaceAll("_", "/")), (char) =>
      char.charCodeAt(0),
    );
    const inflate = new Inflate((chunk, final) => {
      text += decoder.decode(chunk, { stream: !final });
      whole = final;
    });
    // A block of input unpacks to at most about a thousand times its size, so the limit is checked in time.
    const block = 1024;
    for (let at = 0; at < bytes.length && text.length <= UNPACKED_LIMIT; at += block) {
      inflate.push(bytes.subarray(at, at + block), at + block >= bytes.length);
    }
  } catch {
    return { text, whole: false };
  }
  return { text, whole: whole && text.length <= UNPACKED_LIMIT };
}
