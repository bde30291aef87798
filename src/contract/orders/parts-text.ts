/** What is in a set: `1 × Table, 4 × Chair (Oak)` */
export const partsText = (parts: readonly { name: string; qty: number }[]): string =>
  parts.map(({ name, qty }) => `${qty} ×\u00a0${name}`).join(', ');
