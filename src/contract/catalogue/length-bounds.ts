import { type LengthUnit, MILLIMETRES, ownUnit, plain, readLength } from './lengths.ts';

/** Millimetres; what is longer is no furniture. */
const LONGEST = 1_000_000;

/** Without the noise of floating point: lengths are compared to a ten-thousandth. */
const exact = (value: number) => Number(value.toFixed(4));

/** Which end of a range a length is. */
export type Bound = 'min' | 'max';

/** The shortest number that, as a bound in a unit, lets the same whole millimetres through as a bound in millimetres. */
function boundIn(millimetres: number, unit: LengthUnit, bound: Bound): number {
  const [inwards, outwards] = bound === 'max' ? [Math.floor, Math.ceil] : [Math.ceil, Math.floor];
  const whole = inwards(exact(millimetres));
  const rounded = [1, 10, 100].map((digits) => outwards(exact((whole / MILLIMETRES[unit]) * digits)) / digits);
  return rounded.find((value) => inwards(exact(value * MILLIMETRES[unit])) === whole) ?? (rounded[2] as number);
}

/** A bound of a filter in another unit: at most 200 cm is at most 78.75 inches, and that is at most 200 cm again. */
export const convertBound = (length: number, from: LengthUnit, to: LengthUnit, bound: Bound): number =>
  boundIn(length * MILLIMETRES[from], to, bound);

/** A bound of a filter as it is typed into its box (`readLength`), as a number of the box's unit; undefined for what is no length. */
export function readBound(typed: string, unit: LengthUnit, bound: Bound): number | undefined {
  const millimetres = readLength(typed, unit);
  if (millimetres === undefined || millimetres > LONGEST) return undefined;
  return ownUnit(plain(typed)) ? boundIn(millimetres, unit, bound) : Number((millimetres / MILLIMETRES[unit]).toFixed(2));
}
