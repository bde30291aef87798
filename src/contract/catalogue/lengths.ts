/** The units in which the shop asks for lengths. */
export type LengthUnit = 'cm' | 'in';
/** The units in which people write them. */
export type Unit = LengthUnit | 'mm' | 'm' | 'ft';

export const MILLIMETRES: Record<Unit, number> = { mm: 1, cm: 10, m: 1_000, in: 25.4, ft: 304.8 };

/** How people write numbers: `76.5`, `76,5`, `1,200`, `29 1/2`. */
export const NUMBER = String.raw`(?:(?:\d+ )?\d+/\d+|\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:[.,]\d+)?|\.\d+)`;
const UNITS: [RegExp, Unit][] = [
  [/^(?:mm|millimet(?:re|er)s?)$/, 'mm'],
  [/^(?:cms?|centimet(?:re|er)s?)$/, 'cm'],
  [/^(?:m|met(?:re|er)s?)$/, 'm'],
  [/^(?:in|ins|inch|inches|")$/, 'in'],
  [/^(?:ft|feet|foot|')$/, 'ft'],
];
const LENGTH = new RegExp(`^(${NUMBER}) ?([a-z"']*)\\.?$`);
const FEET_AND_INCHES = new RegExp(`^(${NUMBER}) ?(?:ft|feet|foot|')\\.? ?(?:and )?(${NUMBER}) ?(?:ins?|inch|inches|")?\\.?$`);
/** What says nothing about which side is meant, or how long it is. */
const QUALIFIERS =
  /\b(?:overall|total|full|outer|external|product|max|maximum|min|minimum|approx|approximately|about|around|ca|circa|up to)\b\.?|[~≈]/g;

/** A text in the one spelling that is read here: small letters, plain marks, one space at most between two words. */
export function plain(text: string): string {
  return text
    .replace(/[¼½¾]/g, (part) => ` ${part === '¼' ? '1' : part === '½' ? '1' : '3'}/${part === '½' ? 2 : 4}`)
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[′’‘´`]/g, "'")
    .replace(/[″”“]|''/g, '"')
    .replace(/×/g, 'x')
    .replace(/[–—−]/g, '-')
    .replace(/(\d)-(\d+\/\d)/g, '$1 $2')
    .replace(QUALIFIERS, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

function numberOf(text: string): number {
  const fraction = /^(?:(\d+) )?(\d+)\/(\d+)$/.exec(text);
  if (fraction) return Number(fraction[1] ?? 0) + Number(fraction[2]) / Number(fraction[3]);
  return Number(/,\d{3}(?!\d)/.test(text) ? text.replaceAll(',', '') : text.replace(',', '.'));
}

/** The unit that a word names. */
export const unitOf = (text: string): Unit | undefined => UNITS.find(([pattern]) => pattern.test(text))?.[1];

/** The unit that a length names, if any: the one at its end. */
export function ownUnit(text: string): Unit | undefined {
  if (FEET_AND_INCHES.test(text)) return 'in';
  return unitOf(LENGTH.exec(text)?.[2] ?? '');
}

/** One length in the spelling of `plain`, in exact millimetres; without a unit it counts in `unit`. Undefined for what is no single length. */
export function plainLength(text: string, unit: Unit): number | undefined {
  const [, feet, inches] = FEET_AND_INCHES.exec(text) ?? [];
  if (feet !== undefined && inches !== undefined) return numberOf(feet) * MILLIMETRES.ft + numberOf(inches) * MILLIMETRES.in;
  const [, number, word = ''] = LENGTH.exec(text) ?? [];
  const own = word === '' ? unit : unitOf(word);
  return number !== undefined && own ? numberOf(number) * MILLIMETRES[own] : undefined;
}

/**
 * A length as people type it into a box whose unit is known: `120`, `120 cm`, `47.5"`, `6 ft 2`, `29 1/2`. In exact millimetres; undefined for
 * what is no single length.
 */
export const readLength = (typed: string, unit: LengthUnit): number | undefined => plainLength(plain(typed), unit);
