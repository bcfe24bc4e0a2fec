/** Filled by what shows this kind of study. */
export function SearchPane() {
  return null;
}
