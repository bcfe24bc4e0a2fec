/** Whether a text is of a lesson, right or not: it has a list of steps of the kinds that lessons have. */
export const isLesson = (text: string): boolean =>
  /"steps"\s*:\s*\[/.test(text) && /"kind"\s*:\s*"(read|predict|explore|challenge|compare)"/.test(text);

/** Asks the person for the file of a lesson; what it holds the engine judges. */
export function chooseLesson(open: (text: string) => void): void {
  const input = document.createElement("input");
  input.type = "file";
  input.accept = ".json,application/json";
  input.onchange = async () => {
    const [file] = input.files ?? [];
    if (file) open(await file.text());
  };
  input.click();
}
