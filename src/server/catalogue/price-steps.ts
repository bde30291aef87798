import { type RawBuilder, type SqlBool, sql } from 'kysely';

/** The ranges of prices that the index of words knows, the widest first: 2 to the power of `digits` pence each (migration 0390). */
const WIDTHS = [
  { digits: 16, first: 0 },
  { digits: 13, first: 1_000 },
  { digits: 10, first: 10_000 },
] as const;
/** Pence. What costs more is in the same ranges as what costs so much. */
const HIGHEST = 2 ** 21;

/** The fewest of those ranges that hold all prices from `min` to `max` pence, and few others: at either end up to one of the narrowest. */
export function stepsWithin(min: number, max: number): number[] {
  const [from, to] = [Math.max(0, Math.min(min, HIGHEST)), Math.min(max, HIGHEST)];
  const visit = (level: number, place: number): number[] => {
    const width = WIDTHS[level];
    if (!width) return [];
    const [first, last] = [place * 2 ** width.digits, (place + 1) * 2 ** width.digits - 1];
    if (last < from || first > to) return [];
    const next = WIDTHS[level + 1];
    const isWhole = first >= from && (last <= to || first === HIGHEST);
    if (!next || isWhole) return [width.first + place];
    const parts = 2 ** (width.digits - next.digits);
    return Array.from({ length: parts }, (_, part) => visit(level + 1, place * parts + part)).flat();
  };
  return Array.from({ length: (HIGHEST >> WIDTHS[0].digits) + 1 }, (_, place) => visit(0, place)).flat();
}

/** Among the products of a search, those of which the lowest price is from `min` to `max` pence and few others, as a condition that the index of its words serves. */
export const pricedWithin = (min = 0, max = HIGHEST): RawBuilder<SqlBool> =>
  sql<SqlBool>`price_steps(from_price) && ${stepsWithin(min, max)}::integer[]`;
