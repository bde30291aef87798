const LETTERS = /^[\p{L}\p{M}'’-]+/u;
const LONGEST = 20;

/**
 * How a customer is called in public: the first name and the initial of the last, “Casey E.”. What is no name, such as an address typed in
 * its place, is cut at the first sign that no name has; where nothing is left of it, the customer has no name here.
 */
export function publicName(name: string): string {
  const words = name.trim().split(/\s+/);
  const first = (LETTERS.exec(words[0] ?? '')?.[0] ?? '').slice(0, LONGEST);
  if (first === '') return 'A customer';
  const initial = words.length > 1 ? LETTERS.exec(words.at(-1) ?? '')?.[0] : undefined;
  return initial ? `${first} ${[...initial][0]?.toUpperCase()}.` : first;
}
