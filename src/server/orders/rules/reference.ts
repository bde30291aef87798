/** A reference however it was written or heard: in small letters, with a sign before it, without its hyphen, with spaces. Undefined for any other text. */
export function referenceIn(text: string): string | undefined {
  const [, first, second] = /^\s*#?\s*([a-z\d]{4})[\s-]*([a-z\d]{4})\s*$/i.exec(text) ?? [];
  return first && `${first}-${second}`.toUpperCase();
}
