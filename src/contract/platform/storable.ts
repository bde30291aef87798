/** Lone surrogates and zero bytes, which PostgreSQL refuses, or accepts within JSON and cannot read again. */
const UNREADABLE = /\p{Surrogate}|\0/gu;

const cleaned = (text: string): string => text.replace(UNREADABLE, (sign) => (sign === '\0' ? '' : '\ufffd'));

/**
 * Makes every text in a value well-formed, field names too, in place and at any depth, so that it can be stored, backed up and restored. A lone surrogate
 * becomes U+FFFD, the replacement character; zero bytes are removed.
 */
export function storable<T>(value: T): T {
  if (typeof value === 'string') return cleaned(value) as T;
  const open: unknown[] = [value];
  while (open.length > 0) {
    const part = open.pop();
    if (typeof part !== 'object' || part === null) continue;
    for (const [name, inner] of Object.entries(part)) {
      if (typeof inner === 'object') open.push(inner);
      const [newName, newInner] = [cleaned(name), typeof inner === 'string' ? cleaned(inner) : inner];
      if (newName === name && newInner === inner) continue;
      if (newName !== name) Reflect.deleteProperty(part, name);
      // An assignment would change the prototype for a field called `__proto__`.
      Object.defineProperty(part, newName, { value: newInner, configurable: true, enumerable: true, writable: true });
    }
  }
  return value;
}
