import { type LengthUnit, MILLIMETRES, ownUnit, plain, readLength } from './lengths.ts';

/** The longest bound in millimetres. */
const LONGEST = 1_000_000;

/** Rounds off floating-point errors. */
const exact = (value: number) => Number(value.toFixed(4));

export type Bound = 'min' | 'max';

/** The shortest number that, as a bound in a unit, admits the same whole millimetres as a bound in millimetres. */
function boundIn(millimetres: number, unit: LengthUnit, bound: Bound): number {
  const [inwards, outwards] = bound === 'max' ? [Math.floor, Math.ceil] : [Math.ceil, Math.floor];
  const whole = inwards(exact(millimetres));
  const rounded = [1, 10, 100].map((digits) => outwards(exact((whole / MILLIMETRES[unit]) * digits)) / digits);
  return rounded.find((value) => inwards(exact(value * MILLIMETRES[unit])) === whole) ?? (rounded[2] as number);
}

/** A bound of a filter in another unit: at most 200 cm is at most 78.75 inches, and that is at most 200 cm again. */
export const convertBound = (length: number, from: LengthUnit, to: LengthUnit, bound: Bound): number =>
  boundIn(length * MILLIMETRES[from], to, bound);

/** Parses a typed bound (`readLength`) to a number in the unit of its box; undefined if invalid. */
export function readBound(typed: string, unit: LengthUnit, bound: Bound): number | undefined {
  const millimetres = readLength(typed, unit);
  if (millimetres === undefined || millimetres > LONGEST) return undefined;
  return ownUnit(plain(typed)) ? boundIn(millimetres, unit, bound) : Number((millimetres / MILLIMETRES[unit]).toFixed(2));
}
