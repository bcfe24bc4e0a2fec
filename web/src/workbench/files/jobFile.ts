/** Lines that tell what a file is, at most: the comments before its first section. */
const LINES = 1000;

/** Whether a text is a job file of fio: the first line that says anything is the name of a section, and options stand below. */
export function isJobFile(text: string): boolean {
  const lines = text.split(/\r?\n/, LINES);
  const first = lines.find((line) => !/^[\s\uFEFF]*(?:[;#].*)?$/.test(line)) ?? "";
  return (
    /^[\s\uFEFF]*\[[^\]"{}]+\]\s*(?:[;#].*)?$/.test(first) &&
    lines.some((line) => /^\s*[a-z_]+\s*=/.test(line))
  );
}
