/** Whether a text is what fio wrote as JSON, whole or not. */
export const isMeasured = (text: string): boolean => /"fio version"\s*:/.test(text);

/** Whether a text is the file of a drive, right or not. */
export const isDrive = (text: string): boolean =>
  /"drive"\s*:\s*\d/.test(text) && /"ssd"\s*:\s*\{/.test(text);
