/** Parses an order's reference, in any case, with or without `#`, hyphen and spaces. Undefined for any other text. */
export function referenceIn(text: string): string | undefined {
  const [, first, second] = /^\s*#?\s*([a-z\d]{4})[\s-]*([a-z\d]{4})\s*$/i.exec(text) ?? [];
  return first && `${first}-${second}`.toUpperCase();
}
