/** The first `most` UTF-16 units of a text, without half a character at the end, which could not be stored. */
export function cut(text: string, most: number): string {
  return text.slice(0, most).replace(/[\uD800-\uDBFF]$/, '');
}
