/** Filled once files of a study can be saved. */
export function ExportMenu() {
  return null;
}
