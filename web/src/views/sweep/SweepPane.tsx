/** Filled by the charts. */
export function SweepPane() {
  return null;
}
