import type { Theme } from "./theme.ts";

/** A theme in plain values, for tests. */
export const THEME: Theme = {
  bg: "#fff",
  s1: "#f8f8f6",
  s2: "#f0f0ed",
  s3: "#e4e4e0",
  line: "#e3e3df",
  line2: "#87877f",
  ink: "#1a1a18",
  t2: "#4a4a45",
  t3: "#66665f",
  onink: "#fff",
  danger: "#b3261e",
  classes: [
    { mark: "#0072b2", label: "#00669f", dash: [], marker: "circle" },
    { mark: "#d55e00", label: "#ad4b00", dash: [7, 2.5], marker: "square" },
    { mark: "#009e73", label: "#00745a", dash: [2, 2.5], marker: "triangle" },
  ],
  font: "sans-serif",
  symbolFont: "serif",
};
