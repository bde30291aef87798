/** Half of a pair of surrogates, and the zero byte: PostgreSQL takes them inside JSON and cannot read them again, or refuses them. */
const UNREADABLE = /\p{Surrogate}|\0/gu;

const cleaned = (text: string): string => text.replace(UNREADABLE, (sign) => (sign === '\0' ? '' : '\ufffd'));

/**
 * Makes every text in a value from outside well-formed, in place and at any depth, names of fields too: what is stored can be read, backed up
 * and restored again. A lone surrogate becomes U+FFFD, the replacement character; zero bytes are removed.
 */
export function storable<T>(value: T): T {
  if (typeof value === 'string') return cleaned(value) as T;
  const open: unknown[] = [value];
  for (let part = open.pop(); part !== undefined || open.length > 0; part = open.pop()) {
    if (typeof part !== 'object' || part === null) continue;
    for (const [name, inner] of Object.entries(part)) {
      if (typeof inner === 'object') open.push(inner);
      const [newName, newInner] = [cleaned(name), typeof inner === 'string' ? cleaned(inner) : inner];
      if (newName === name && newInner === inner) continue;
      if (newName !== name) Reflect.deleteProperty(part, name);
      // Not by assignment, which would change the prototype where the field is called `__proto__`.
      Object.defineProperty(part, newName, { value: newInner, configurable: true, enumerable: true, writable: true });
    }
  }
  return value;
}
