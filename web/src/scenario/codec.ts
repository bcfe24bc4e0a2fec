import { deflateSync, Inflate } from "fflate";
import { DOCUMENT_BYTES } from "../generated/limits.ts";
import { crc32 } from "./crc32.ts";
import type { Scenario } from "./types.ts";

/**
 * A link fragment: a scenario, and what of the view differs from how it is shown at first.
 *
 *     #2.CHECK.CONTENT                 a scenario
 *     #3.CHECK.CONTENT.CHECK.CONTENT   a scenario, then the state of the view
 *
 * A content is JSON, deflated, in base64url; its check is the CRC-32 of it, so that a damaged link never opens as another
 * scenario, and a damaged view does not take the scenario with it. The number is the version of this wrapping, the lowest
 * that can say what is in the link; version 1 (`#1.CONTENT`) had no check and is still read. The document carries a
 * version of its own.
 */
const LINK_VERSION = 3;

/** Longest link that chat programs and course pages take without harm. */
export const LINK_LIMIT = 2000;

/** Longest JSON of a scenario that the engine reads, in bytes. Nothing longer is read or unpacked. */
export const DOCUMENT_LIMIT = DOCUMENT_BYTES;

/** Longest fragment that is looked at: browsers take no longer address. */
const FRAGMENT_LIMIT = 2_000_000;

/** Longest JSON of the state of a view, in characters. */
const VIEW_LIMIT = 262_144;

/** Characters of a check: the 32 bits of it in base64url. */
const CHECK_LENGTH = 6;

/** What a fragment holds. The JSON has been neither parsed nor checked. */
export type Decoded =
  | { readonly kind: "json"; readonly json: string }
  | { readonly kind: "none" }
  | { readonly kind: "newer" | "broken"; readonly title: string; readonly sentence: string };

/** What a link says of the view: the JSON of its state, nothing, or what cannot be read. */
export type LinkedView =
  | { readonly kind: "json"; readonly json: string }
  | { readonly kind: "none" }
  | { readonly kind: "damaged" };

/** The fragment of a scenario and of the JSON of a view, empty where it is as at first; `#` included. */
export function encodeFragment(scenario: Scenario, view = ""): string {
  const content = sealed(JSON.stringify(scenario));
  return view === "" ? `#2.${content}` : `#3.${content}.${sealed(view)}`;
}

/** A text that is no scenario, as a link has it under a name: `#answers=CHECK.CONTENT`. */
export const encodeNamed = (name: string, text: string): string => `#${name}=${sealed(text)}`;

/** What a link holds under a name. */
export type Named = Decoded | { readonly kind: "text"; readonly text: string };

/** Reads what a link holds under a name, of at most so many characters; `none` where it is another link. */
export function decodeNamed(name: string, fragment: string, limit: number): Named {
  if (fragment.length > FRAGMENT_LIMIT)
    return broken("The link is too long", `A link has at most ${FRAGMENT_LIMIT} characters.`);
  const [joined, alone] = readings(fragment);
  const read = (text: string): Named =>
    text.startsWith(`${name}=`) ? unsealed(text.slice(name.length + 1), limit) : { kind: "none" };
  const first = read(joined);
  if (first.kind !== "broken" || alone === joined) return first;
  const other = read(alone);
  return other.kind === "text" ? other : first;
}

/** Opens what `sealed` made; what follows it is left aside. */
export function unsealed(
  text: string,
  limit: number,
): Extract<Named, { readonly kind: "text" | "broken" | "newer" }> {
  const [, check, content = ""] = /^([\w-]*)\.([\w-]*)/.exec(text) ?? [];
  const { text: opened, end } = unpack(content, limit);
  if (end === "limit")
    return broken("The link holds too much", `It unpacks to more than ${limit} characters.`);
  if (end === "whole" && check === checkOf(content)) return { kind: "text", text: opened };
  return broken(
    "The link is damaged",
    "Its end is missing, or characters of it have changed. Copy the whole link again from where it came.",
  );
}

/** A text packed, behind its check. */
export function sealed(text: string): string {
  const content = base64url(deflateSync(new TextEncoder().encode(text), { level: 9, mem: 8 }));
  return `${checkOf(content)}.${content}`;
}

/** The fragment of a link that was pasted, or of an address. */
export const fragmentOf = (link: string): string => /(?:#|%23)(.*)/s.exec(link)?.[1] ?? "";

/** Reads a fragment, with or without its `#`, and with what mail programs, chats and trackers add to it. */
export function decodeFragment(fragment: string): Decoded {
  if (fragment.length > FRAGMENT_LIMIT) {
    return broken("The link is too long", `A scenario link has at most ${FRAGMENT_LIMIT} characters.`);
  }
  const [joined, alone] = readings(fragment);
  if (joined === "") return { kind: "none" };
  const decoded = decodeText(joined);
  if (decoded.kind !== "broken" || alone === joined) return decoded;
  const other = decodeText(alone);
  return other.kind === "broken" ? decoded : other;
}

/**
 * What a fragment says of the view, with or without its `#`. It is read apart from the scenario: where it is damaged the
 * scenario opens all the same.
 */
export function decodeView(fragment: string): LinkedView {
  if (fragment.length > FRAGMENT_LIMIT) return { kind: "none" };
  const [joined, alone] = readings(fragment);
  const view = decodeViewText(joined);
  return view.kind === "damaged" ? decodeViewText(alone) : view;
}

/** The two ways to read a fragment: line breaks are put into long links; words after a blank do not belong to them. */
function readings(fragment: string): readonly [joined: string, alone: string] {
  const text = withoutEscapes(fragment.replace(/^#/, "")).trim();
  const [first = ""] = text.split(/\s/, 1);
  return [text.replace(/=?\s+/g, ""), first];
}

/** Only links of version 3 have a view, and all of them do. */
function decodeViewText(text: string): LinkedView {
  if (!text.startsWith("3.")) return { kind: "none" };
  const [, check, content = ""] = /^3\.[\w-]*\.[\w-]*\.([\w-]*)\.([\w-]*)/.exec(text) ?? [];
  if (check === undefined || check !== checkOf(content)) return { kind: "damaged" };
  const { text: json, end } = unpack(content, VIEW_LIMIT);
  return end === "whole" ? { kind: "json", json } : { kind: "damaged" };
}

/** `%2E` as `.`, also where it was escaped twice. */
function withoutEscapes(text: string): string {
  const once = (escaped: string) =>
    escaped.replace(/%([0-7][0-9a-f])/gi, (_, code) => String.fromCharCode(Number.parseInt(code, 16)));
  return text.includes("%") ? once(once(text)) : text;
}

/** Anything after the content, such as `&fbclid=...` or the bracket around a link, is left aside. */
function decodeText(text: string): Decoded {
  const [head, number] = /^(\d{1,6})\./.exec(text) ?? [];
  const version = Number(number);
  if (head === undefined || version === 0) {
    return broken("This is not a QoScope link", "The part after # is not a scenario.");
  }
  if (version > LINK_VERSION) {
    return {
      kind: "newer",
      title: "This link was made with a newer QoScope",
      sentence:
        `Link format ${version}, this page knows up to ${LINK_VERSION}. ` +
        "Opening it here could silently change the scenario, so it was not opened.",
    };
  }
  const body = text.slice(head.length);
  if (version === 1) {
    // No scenario packs into as little as a check: what is so short is the check of a later version whose number has changed.
    const content = /^[\w-]*/.exec(body)?.[0] ?? "";
    return decodeContent(content, () => content.length > CHECK_LENGTH);
  }
  const [, check, content = ""] = /^([\w-]*)\.([\w-]*)/.exec(body) ?? [];
  return decodeContent(content, () => check === checkOf(content));
}

function decodeContent(content: string, isSound: () => boolean): Decoded {
  const { text, end } = unpack(content, DOCUMENT_LIMIT);
  if (end === "limit") {
    return broken(
      "The link holds too much",
      `It unpacks to more than the ${DOCUMENT_LIMIT / 2 ** 20} MiB that a scenario may have.`,
    );
  }
  const sound = isSound();
  if (end === "whole" && sound) return { kind: "json", json: text };
  const name = /"name":"((?:[^"\\]|\\.){1,80})/.exec(text)?.[1];
  const read = name === undefined ? "" : ` The name could be read: “${name}”.`;
  return end === "whole"
    ? broken("The link is damaged", `Characters of it have changed. Copy it again from where it came.${read}`)
    : broken(
        "The link is incomplete",
        `Its end is missing or damaged, perhaps cut by a mail program. Paste the full link.${read}`,
      );
}

const broken = (title: string, sentence: string) => ({ kind: "broken", title, sentence }) as const;

/** The check of a content, in {@link CHECK_LENGTH} characters. */
function checkOf(content: string): string {
  const check = crc32(content);
  return base64url(Uint8Array.of(check >>> 24, check >>> 16, check >>> 8, check));
}

function base64url(bytes: Uint8Array): string {
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/** The bytes of a text; a last character that holds no whole byte is left out. */
function fromBase64url(text: string): Uint8Array {
  const whole = text.length % 4 === 1 ? text.slice(0, -1) : text;
  const binary = atob(whole.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(binary, (char) => char.charCodeAt(0));
}

interface Unpacked {
  readonly text: string;
  /** Where unpacking stopped: at the end, at the limit, or at data that are damaged or cut. */
  readonly end: "whole" | "limit" | "cut";
}

/** Unpacks as far as it goes, and never much further than a limit in characters. */
function unpack(content: string, limit: number): Unpacked {
  const decoder = new TextDecoder();
  let text = "";
  let whole = false;
  try {
    const bytes = fromBase64url(content);
    const inflate = new Inflate((chunk, final) => {
      text += decoder.decode(chunk, { stream: !final });
      whole = final;
    });
    // A block of input unpacks to at most about a thousand times its size, so the limit is checked in time.
    const block = 1024;
    for (let at = 0; at < bytes.length; at += block) {
      inflate.push(bytes.subarray(at, at + block));
      if (text.length > limit) return { text: "", end: "limit" };
    }
    inflate.push(new Uint8Array(0), true);
  } catch {
    return { text, end: "cut" };
  }
  return { text, end: whole ? "whole" : "cut" };
}
