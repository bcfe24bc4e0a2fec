import type { Lock } from "../../scenario/lock.ts";

/** What a page that shows this one in a frame may leave out. */
export const PARTS = ["settings", "results", "fabric", "charts"] as const;
export type Part = (typeof PARTS)[number];

/** How the page is shown inside another: `?embed`, with what else the query says, or by an LMS: `?scorm`. */
export interface Embed {
  readonly hidden: readonly Part[];
  /** Settings that are shown but cannot be changed; null where all can. */
  readonly lock: Lock | null;
  /** Whether the run starts by itself. */
  readonly autoplay: boolean;
  /** The page around this one is told the scenario, too. */
  readonly follow: boolean;
  /** The version of SCORM that an LMS has opened the page with, empty for any; null where none has. */
  readonly scorm: string | null;
}

/** Reads a query; null where the page stands alone. */
export function embedOf(search: string): Embed | null {
  const query = new URLSearchParams(search);
  if (!query.has("embed") && !query.has("scorm")) return null;
  const named = (key: string) => query.getAll(key).flatMap((names) => names.split(",").filter(Boolean));
  const hidden = named("hide");
  const [locked, free] = [named("lock"), named("free")];
  return {
    hidden: PARTS.filter((part) => hidden.includes(part)),
    lock: query.has("lock") || free.length > 0 ? { all: locked.length === 0, locked, free } : null,
    autoplay: query.get("autoplay") !== "0",
    follow: query.has("follow"),
    scorm: query.get("scorm"),
  };
}
