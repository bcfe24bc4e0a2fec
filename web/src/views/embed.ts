/** What a page that shows this one in a frame may leave out. */
export const PARTS = ["settings", "results", "fabric", "charts"] as const;
export type Part = (typeof PARTS)[number];

/** How the page is shown inside another: `?embed`, with what else the query says. */
export interface Embed {
  readonly hidden: readonly Part[];
  /** Settings are shown but cannot be changed. */
  readonly locked: boolean;
  /** Whether the run starts by itself. */
  readonly autoplay: boolean;
}

/** Reads a query; null where the page stands alone. */
export function embedOf(search: string): Embed | null {
  const query = new URLSearchParams(search);
  if (!query.has("embed")) return null;
  const named = query.getAll("hide").flatMap((names) => names.split(","));
  return {
    hidden: PARTS.filter((part) => named.includes(part)),
    locked: query.has("lock"),
    autoplay: query.get("autoplay") !== "0",
  };
}
