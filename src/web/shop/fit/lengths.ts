import { type LengthUnit, MILLIMETRES, readLength } from '#contract/catalogue/lengths.ts';

const LONGEST = 10_000;

/** Parses a typed length (`readLength`) to whole millimetres; undefined if it is not a length up to 10 m. */
export function lengthOf(typed: string, unit: LengthUnit): number | undefined {
  const whole = Math.round(readLength(typed, unit) ?? 0);
  return whole >= 1 && whole <= LONGEST ? whole : undefined;
}

const inTenths = (millimetres: number, unit: LengthUnit, round: (tenths: number) => number) =>
  `${round(Number(((millimetres / MILLIMETRES[unit]) * 10).toFixed(3))) / 10} ${unit}`;

/** Formats millimetres: 2235 is "223.5 cm" or "88 in". */
export const lengthText = (millimetres: number, unit: LengthUnit): string => inTenths(millimetres, unit, Math.round);
/** "71 cm (28 in)" */
export const inBothUnits = (millimetres: number): string => `${lengthText(millimetres, 'cm')} (${lengthText(millimetres, 'in')})`;
/** Formats a clearance, rounded down. */
export const spareText = (millimetres: number, unit: LengthUnit): string => inTenths(millimetres, unit, Math.floor);
/** Formats an excess, rounded up. */
export const lackText = (millimetres: number, unit: LengthUnit): string => inTenths(millimetres, unit, Math.ceil);
