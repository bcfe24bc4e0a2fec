import { useSyncExternalStore } from "react";

/** The theme in force: chosen by the person (kept in this browser), asked for by `?theme=`, or the system's. */
export type Theme = "light" | "dark";

const KEY = "qoscope.theme";

const root = () => document.documentElement;
const current = (): Theme => (root().dataset.theme === "dark" ? "dark" : "light");

function stored(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

/** Chooses the other theme and remembers it. */
export function toggleTheme(): void {
  const next: Theme = current() === "dark" ? "light" : "dark";
  root().dataset.theme = next;
  try {
    localStorage.setItem(KEY, next);
  } catch {
    // A browser that keeps nothing still shows the theme.
  }
}

/** Shows a theme for as long as this page is open. */
export function showTheme(theme: Theme): void {
  root().dataset.theme = theme;
}

/** Follows the system while nobody has chosen. */
export function followSystemTheme(): void {
  const system = matchMedia("(prefers-color-scheme: dark)");
  system.addEventListener("change", () => {
    const asked = new URLSearchParams(location.search).get("theme");
    if (asked === null && stored() === null) root().dataset.theme = system.matches ? "dark" : "light";
  });
}

function subscribe(listener: () => void): () => void {
  const observer = new MutationObserver(listener);
  observer.observe(root(), { attributeFilter: ["data-theme"] });
  return () => observer.disconnect();
}

export const useTheme = (): Theme => useSyncExternalStore(subscribe, current);
