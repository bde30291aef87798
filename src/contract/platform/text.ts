/** The beginning of a text, of at most so many UTF-16 units; a character is never cut in half, since half of one cannot be stored. */
export function cut(text: string, most: number): string {
  return text.slice(0, most).replace(/[\uD800-\uDBFF]$/, '');
}
