/** Width of a letter of 11 px, to leave room for labels before they are drawn. */
export const LETTER = 6.2;

export const roomFor = (text: string): number => Math.ceil(text.length * LETTER);
