import { readMeasurement } from '#contract/attributes/measurement.ts';

export type LengthUnit = 'cm' | 'in';

const MILLIMETRES = { cm: 10, in: 25.4 } as const;
const RANGE = /\d.*(?:-|–|\bto\b).*\d/;

/**
 * A length that a visitor typed, in whole millimetres. A number without a unit counts in `unit`; "30 in", "2 ft 6 in" and "1.98 m" say their own.
 * Undefined for what is no single length up to ten metres.
 */
export function lengthOf(text: string, unit: LengthUnit): number | undefined {
  if (RANGE.test(text)) return undefined;
  const isNumber = /^\s*(?:\d+(?:[.,]\d+)?|[.,]\d+)\s*$/.test(text);
  return readMeasurement('Width', isNumber ? `${text} ${unit}` : text)?.width;
}

const inTenths = (millimetres: number, unit: LengthUnit, round: (tenths: number) => number) =>
  `${round(Number(((millimetres / MILLIMETRES[unit]) * 10).toFixed(3))) / 10} ${unit}`;

/** A length in words: 2235 is "223.5 cm", or "88 in". */
export const lengthText = (millimetres: number, unit: LengthUnit): string => inTenths(millimetres, unit, Math.round);
/** What is to spare, rounded down. */
export const spareText = (millimetres: number, unit: LengthUnit): string => inTenths(millimetres, unit, Math.floor);
/** What is lacking, rounded up. */
export const lackText = (millimetres: number, unit: LengthUnit): string => inTenths(millimetres, unit, Math.ceil);
