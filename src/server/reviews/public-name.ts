const LETTERS = /^[\p{L}\p{M}'’-]+/u;
const LONGEST = 20;

/**
 * A customer's public name: first name and initial of the last, “Casey E.”. Cut at the first character that no name contains, such as the @
 * of an email address; “A customer” if nothing is left.
 */
export function publicName(name: string): string {
  const words = name.trim().split(/\s+/);
  const first = (LETTERS.exec(words[0] ?? '')?.[0] ?? '').slice(0, LONGEST);
  if (first === '') return 'A customer';
  const initial = words.length > 1 ? LETTERS.exec(words.at(-1) ?? '')?.[0] : undefined;
  return initial ? `${first} ${[...initial][0]?.toUpperCase()}.` : first;
}
