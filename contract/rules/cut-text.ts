/** The beginning of a text, `most` UTF-16 units at most, without half of a symbol at its end: that is no text, and cannot be stored. */
export const cutText = (text: string, most: number): string => text.slice(0, most).replace(/[\ud800-\udbff]$/, '');
