/** Filled by what shows this kind of study. */
export function SensitivityPane() {
  return null;
}
