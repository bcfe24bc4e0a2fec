const ESCAPES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

const escaped = (text: string): string => text.replace(/[&<>"]/g, (letter) => ESCAPES[letter] ?? letter);

/** The element that shows an address in another page, by a name for readers of it. */
export const frameHtml = (address: string, name: string): string =>
  `<iframe src="${escaped(address)}" title="${escaped(name)}" width="960" height="640" loading="lazy" allow="fullscreen"></iframe>`;
