/** The plural: `desk` → `desks`, `chest of drawers` → `chests of drawers`. Plurals and uncountable nouns stay. */
export function severalOf(kind: string): string {
  const [, noun = kind, rest = ''] = /^(.+?)( of .+)?$/.exec(kind) ?? [];
  if (/(?:[^s]s|ing|ware|ery|furniture|decor)$/.test(noun)) return kind;
  if (/(?:ch|sh|s|x)$/.test(noun)) return `${noun}es${rest}`;
  return `${noun.replace(/([^aeiou])y$/, '$1ie').replace(/f$/, 've')}s${rest}`;
}
