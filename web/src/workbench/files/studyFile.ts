/** Whether a text is of a study, right or not: it lists what is measured, and says what varies or what is asked. */
export const isStudy = (text: string): boolean =>
  /"measures"\s*:\s*\[/.test(text) && /"(ask|vary)"\s*:\s*[[{]/.test(text);
