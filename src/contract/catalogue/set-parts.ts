import { MAX_QUANTITY } from '#contract/platform/limits.ts';

/** The most parts of a set. */
export const MAX_PARTS = 12;

/** A part of a set: pieces of a product, in one size and colour if it has any. */
export interface SetPart {
  _id: string;
  qty: number;
  size: string | null;
  /** As a hex code. */
  colour: string | null;
}

/** One part in the text of a set: `4 x 019a… | Large | #b58a5a`. */
const PART =
  /^([1-9]\d?) ?[x×] ?([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})(?:\s*\|([^|]*))?(?:\|\s*(#[0-9a-f]{6})?\s*)?$/;

/** Whether a size has a character that separates parts, so that the text of a set cannot name it. */
export const cannotBeNamed = (size: string): boolean => /[|;\n]/.test(size);

/** Parses the text of a set, `1 x 019a…; 4 x 019a… | Large | #b58a5a`; undefined if it is not valid. */
export function readSetParts(text: string): SetPart[] | undefined {
  const parts = text
    .split(/[;\n]/)
    .map((part) => part.trim())
    .filter(Boolean)
    .map((part): SetPart | undefined => {
      const [, qty, _id, size, colour] = PART.exec(part) ?? [];
      return _id === undefined ? undefined : { _id, qty: Number(qty), size: size?.trim() || null, colour: colour ?? null };
    });
  const valid = parts.filter((part) => part !== undefined);
  return valid.length === parts.length ? valid : undefined;
}

/** The parts of a set as text, which `readSetParts` reads. */
export const setPartsText = (parts: readonly SetPart[]): string =>
  parts
    .map(({ _id, qty, size, colour }) => {
      const variant = colour ? [size ?? '', colour] : size ? [size] : [];
      return [`${qty} x ${_id}`, ...variant].join(' | ');
    })
    .join('; ');

const piecesIn = (parts: readonly SetPart[]): number => parts.reduce((sum, { qty }) => sum + qty, 0);
const keyOf = ({ _id, size, colour }: SetPart) => [_id, size, colour].join('|');

/** Whether the text of a set is valid: not too many parts, each named once, and no more pieces of a product than an order may have. */
export function isSetText(text: string): boolean {
  const parts = readSetParts(text);
  if (!parts || parts.length > MAX_PARTS || new Set(parts.map(keyOf)).size < parts.length) return false;
  return parts.every(({ _id }) => piecesIn(parts.filter((part) => part._id === _id)) <= MAX_QUANTITY);
}

interface Stock {
  countInStock: number;
  sizes: readonly { size: string; quantity: number }[];
}

/**
 * How many sets the stock of the parts makes, as `sets_in_stock` counts them in the database: 0 if a part, or its size, no longer exists, or if its product
 * has sizes and the part names none.
 */
export function setsLeft(parts: readonly SetPart[], stockOf: (id: string) => Stock | undefined): number {
  if (parts.length === 0) return 0;
  const setsOfParts = parts.map(({ _id, size }) => {
    const stock = stockOf(_id);
    if (!stock) return 0;
    const partsOfProduct = parts.filter((part) => part._id === _id);
    const setsOfProduct = Math.floor(stock.countInStock / piecesIn(partsOfProduct));
    if (size === null && stock.sizes.length === 0) return setsOfProduct;
    const quantity = stock.sizes.find((entry) => entry.size === size)?.quantity ?? 0;
    return Math.min(setsOfProduct, Math.floor(quantity / piecesIn(partsOfProduct.filter((part) => part.size === size))));
  });
  return Math.min(...setsOfParts);
}
