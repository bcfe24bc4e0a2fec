import { CLASS_IDENTITIES, type MarkerKind } from "../../ui/classes.ts";
import { forgetWidths } from "./surface.ts";

/** Colours in plain values, as canvas and exported files need them. */
export interface Theme {
  readonly bg: string;
  readonly s1: string;
  readonly s2: string;
  readonly s3: string;
  readonly line: string;
  readonly line2: string;
  readonly ink: string;
  readonly t2: string;
  readonly t3: string;
  readonly onink: string;
  readonly danger: string;
  /** By number of the class identity. */
  readonly classes: readonly ClassStyle[];
  readonly font: string;
  readonly symbolFont: string;
}

export interface ClassStyle {
  readonly mark: string;
  readonly label: string;
  readonly dash: readonly number[];
  readonly marker: MarkerKind;
}

const NEUTRAL = ["bg", "s1", "s2", "s3", "line", "line2", "ink", "t2", "t3", "onink", "danger"] as const;

/** With forced colours the system's own: edges and dashes stay, fills go. */
const FORCED: Record<(typeof NEUTRAL)[number], string> = {
  bg: "Canvas",
  s1: "Canvas",
  s2: "Canvas",
  s3: "Canvas",
  line: "GrayText",
  line2: "CanvasText",
  ink: "CanvasText",
  t2: "CanvasText",
  t3: "CanvasText",
  onink: "Canvas",
  danger: "CanvasText",
};

/** The theme as the tokens are now, also where they have just changed. */
export function readTheme(): Theme {
  const style = getComputedStyle(document.documentElement);
  const forced = matchMedia("(forced-colors: active)").matches;
  const token = (name: string) => style.getPropertyValue(`--${name}`).trim();
  const neutral = Object.fromEntries(
    NEUTRAL.map((name) => [name, forced ? FORCED[name] : token(name)]),
  ) as Record<(typeof NEUTRAL)[number], string>;
  return {
    ...neutral,
    classes: CLASS_IDENTITIES.map((identity) => ({
      mark: forced ? "CanvasText" : token(`class-${identity.index}-mark`),
      label: forced ? "CanvasText" : token(`class-${identity.index}-label`),
      dash: identity.dash,
      marker: identity.marker,
    })),
    font: token("font") || "sans-serif",
    symbolFont: token("font-symbol") || "serif",
  };
}

let current: Theme | undefined;
const listeners = new Set<() => void>();

function watch() {
  const changed = () => {
    current = undefined;
    forgetWidths();
    for (const listener of listeners) listener();
  };
  new MutationObserver(changed).observe(document.documentElement, {
    attributeFilter: ["data-theme", "class"],
  });
  for (const wish of ["(forced-colors: active)", "(prefers-contrast: more)"])
    matchMedia(wish).addEventListener("change", changed);
  // Styles of the development server may arrive after the first drawing.
  addEventListener("load", changed);
  // Texts were measured in the font that stood in for the page's own.
  document.fonts.addEventListener("loadingdone", changed);
}

let watching = false;

/** The theme in force; read from the tokens once per change. */
export function currentTheme(): Theme {
  current ??= readTheme();
  return current;
}

export function subscribeTheme(listener: () => void): () => void {
  if (!watching) {
    watching = true;
    watch();
  }
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}

/** Look of a class identity, wrapping round beyond the last. */
export function classStyle(theme: Theme, kindIndex: number): ClassStyle {
  return theme.classes[kindIndex % theme.classes.length] as ClassStyle;
}
