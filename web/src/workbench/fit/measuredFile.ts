/** Whether a text is what fio wrote as JSON, whole or not. */
export const isMeasured = (text: string): boolean => /"fio version"\s*:/.test(text);

/** Whether a text is the file of a drive, right or not. */
export const isDrive = (text: string): boolean =>
  /"drive"\s*:\s*\d/.test(text) && /"ssd"\s*:\s*\{/.test(text);

/** Whether a file that is no result is meant as a log over time: by its ending. */
export const isLog = (name: string, text: string): boolean =>
  /\.log$/i.test(name) && !/^\s*\{/.test(text) && !isMeasured(text);

/** Whether a file has the name that fio gives a log, by which it is told from a trace: both are lines of numbers. */
export const isNamedAsLog = (name: string): boolean =>
  /_(?:[cs]?lat|clat_hist|bw|iops)(?:\.\d+)?\.log$/.test(name);
