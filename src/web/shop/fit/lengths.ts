import { type LengthUnit, MILLIMETRES, readLength } from '#contract/catalogue/lengths.ts';

/** Ten metres. */
const LONGEST = 10_000;

/** A length that a visitor typed (`readLength`), in whole millimetres; undefined for what is no length up to ten metres. */
export function lengthOf(typed: string, unit: LengthUnit): number | undefined {
  const whole = Math.round(readLength(typed, unit) ?? 0);
  return whole >= 1 && whole <= LONGEST ? whole : undefined;
}

const inTenths = (millimetres: number, unit: LengthUnit, round: (tenths: number) => number) =>
  `${round(Number(((millimetres / MILLIMETRES[unit]) * 10).toFixed(3))) / 10} ${unit}`;

/** A length in words: 2235 is "223.5 cm", or "88 in". */
export const lengthText = (millimetres: number, unit: LengthUnit): string => inTenths(millimetres, unit, Math.round);
/** What is to spare, rounded down. */
export const spareText = (millimetres: number, unit: LengthUnit): string => inTenths(millimetres, unit, Math.floor);
/** What is lacking, rounded up. */
export const lackText = (millimetres: number, unit: LengthUnit): string => inTenths(millimetres, unit, Math.ceil);
