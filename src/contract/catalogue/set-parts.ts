import { MAX_QUANTITY } from '#contract/platform/limits.ts';

/** The most parts of a set. */
export const MAX_PARTS = 12;

/** A part of a set: pieces of a product, in one size and colour where it has some. */
export interface SetPart {
  _id: string;
  qty: number;
  size: string | null;
  /** Its code. */
  colour: string | null;
}

const PART =
  /^([1-9]\d?) ?[x×] ?([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})(?:\s*\|([^|]*))?(?:\|\s*(#[0-9a-f]{6})?\s*)?$/;

/** A size that the text of a set cannot name. */
export const isUnnamed = (size: string): boolean => /[|;\n]/.test(size);

/** The parts of a set from its text, `1 x 019a…; 4 x 019a… | Large | #b58a5a`; undefined if it cannot be read. */
export function partsOf(text: string): SetPart[] | undefined {
  const parts = text
    .split(/[;\n]/)
    .map((part) => part.trim())
    .filter(Boolean)
    .map((part): SetPart | undefined => {
      const [, qty, _id, size, colour] = PART.exec(part) ?? [];
      return _id === undefined ? undefined : { _id, qty: Number(qty), size: size?.trim() || null, colour: colour ?? null };
    });
  const read = parts.filter((part) => part !== undefined);
  return read.length === parts.length ? read : undefined;
}

/** The parts of a set as text. */
export const textOfParts = (parts: readonly SetPart[]): string =>
  parts
    .map(({ _id, qty, size, colour }) =>
      [`${qty} x ${_id}`, ...(size || colour ? [size ?? ''] : []), ...(colour ? [colour] : [])].join(' | '),
    )
    .join('; ');

const keyOf = ({ _id, size, colour }: SetPart) => [_id, size, colour].join('|');

/** Whether the text of a set is valid: not too many parts, each named once, and no more pieces of a product than an order may have. */
export function isSetText(text: string): boolean {
  const parts = partsOf(text);
  if (!parts || parts.length > MAX_PARTS || new Set(parts.map(keyOf)).size < parts.length) return false;
  return parts.every(({ _id }) => parts.reduce((sum, part) => sum + (part._id === _id ? part.qty : 0), 0) <= MAX_QUANTITY);
}

interface Stock {
  countInStock: number;
  sizes: readonly { size: string; quantity: number }[];
}

/** How many of a set its parts make, by the rule of the database (`sets_in_stock`): none if a part is not there, or not in that size. */
export function setsLeft(parts: readonly SetPart[], stockOf: (id: string) => Stock | undefined): number {
  const left = parts.flatMap(({ _id, size }) => {
    const stock = stockOf(_id);
    if (!stock) return [0];
    const needed = (of: (part: SetPart) => boolean) => parts.reduce((sum, part) => sum + (of(part) ? part.qty : 0), 0);
    const whole = Math.floor(stock.countInStock / needed((part) => part._id === _id));
    if (size === null && stock.sizes.length === 0) return [whole];
    const quantity = stock.sizes.find((entry) => entry.size === size)?.quantity ?? 0;
    return [whole, Math.floor(quantity / needed((part) => part._id === _id && part.size === size))];
  });
  return Math.max(0, Math.min(...(left.length > 0 ? left : [0])));
}
