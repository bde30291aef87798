import { type LengthUnit, MILLIMETRES, ownUnit, plain, readLength } from './lengths.ts';

/** The longest bound in millimetres. */
const LONGEST_BOUND = 1_000_000;

/** Rounds off floating-point errors. */
const exact = (value: number) => Number(value.toFixed(4));

export type Bound = 'min' | 'max';

/** Converts a bound to a unit: the number with the fewest decimals, at most two, that admits the same whole millimetres. */
function boundIn(millimetres: number, unit: LengthUnit, bound: Bound): number {
  const [inwards, outwards] = bound === 'max' ? [Math.floor, Math.ceil] : [Math.ceil, Math.floor];
  const whole = inwards(exact(millimetres));
  const rounded = [1, 10, 100].map((factor) => outwards(exact((whole / MILLIMETRES[unit]) * factor)) / factor);
  return rounded.find((value) => inwards(exact(value * MILLIMETRES[unit])) === whole) ?? (rounded[2] as number);
}

/** A bound of a filter in another unit: at most 200 cm is at most 78.75 inches, and that is at most 200 cm again. */
export const convertBound = (length: number, from: LengthUnit, to: LengthUnit, bound: Bound): number =>
  boundIn(length * MILLIMETRES[from], to, bound);

/** Parses a typed bound (`readLength`) to a number in the unit of its box; undefined if invalid. */
export function readBound(typed: string, unit: LengthUnit, bound: Bound): number | undefined {
  const millimetres = readLength(typed, unit);
  if (millimetres === undefined || millimetres > LONGEST_BOUND) return undefined;
  if (ownUnit(plain(typed))) return boundIn(millimetres, unit, bound);
  // Typed in the unit of the box: the same number.
  return Number((millimetres / MILLIMETRES[unit]).toFixed(2));
}
