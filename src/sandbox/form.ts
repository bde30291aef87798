/** A value of a form in the provider's bracket notation: text, or a map by name or index. */
export type Value = string | { [name: string]: Value };

const PROTOTYPE_NAMES = new Set(['__proto__', 'constructor', 'prototype']);

/** Parses `line_items[0][quantity]=2&mode=payment` into nested objects. */
export function parseForm(body: string): { [name: string]: Value } {
  const root: { [name: string]: Value } = {};
  for (const [name, text] of new URLSearchParams(body)) {
    const path = name.split('[').map((part) => part.replace(/\]$/, ''));
    if (path.length > 8 || path.some((part) => PROTOTYPE_NAMES.has(part))) continue;
    let here = root;
    for (const part of path.slice(0, -1)) {
      const next = here[part];
      if (typeof next === 'object') here = next;
      else {
        const made: { [name: string]: Value } = {};
        here[part] = made;
        here = made;
      }
    }
    here[path.at(-1) ?? ''] = text;
  }
  return root;
}

/** The text at a path, or ''. */
export function textAt(value: Value | undefined, ...path: string[]): string {
  const found = path.reduce<Value | undefined>((here, part) => (typeof here === 'object' ? here[part] : undefined), value);
  return typeof found === 'string' ? found : '';
}

/** A list's entries by index. */
export function listAt(value: Value | undefined, ...path: string[]): Value[] {
  const found = path.reduce<Value | undefined>((here, part) => (typeof here === 'object' ? here[part] : undefined), value);
  if (typeof found !== 'object') return [];
  return Object.keys(found)
    .sort((a, b) => Number(a) - Number(b))
    .flatMap((key) => found[key] ?? []);
}
