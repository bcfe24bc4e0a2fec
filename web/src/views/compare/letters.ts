/** Letters of the runs, the current one last. */
export const letterOf = (place: number): string => String.fromCharCode("A".charCodeAt(0) + place);
