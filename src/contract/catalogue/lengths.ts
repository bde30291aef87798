/** The units of the shop's own controls. */
export type LengthUnit = 'cm' | 'in';
/** All units that are understood. */
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
/** Words without a meaning for the side or the length. */
const QUALIFIERS =
  /\b(?:overall|total|full|outer|external|product|max|maximum|min|minimum|approx|approximately|about|around|ca|circa|up to)\b\.?|[~≈]/g;

const FRACTIONS: Readonly<Record<string, string>> = { '¼': '1/4', '½': '1/2', '¾': '3/4' };

/** Normalises a text: lower case, plain quotes and dashes, single spaces. */
export function plain(text: string): string {
  return text
    .replace(/[¼½¾]/g, (sign) => ` ${FRACTIONS[sign]}`)
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

/** The unit at the end of a length, if any. */
export function ownUnit(text: string): Unit | undefined {
  if (FEET_AND_INCHES.test(text)) return 'in';
  return unitOf(LENGTH.exec(text)?.[2] ?? '');
}

/** Parses a normalised length (`plain`) to exact millimetres; `unit` applies to a bare number. Undefined if it is not a single length. */
export function plainLength(text: string, unit: Unit): number | undefined {
  const [, feet, inches] = FEET_AND_INCHES.exec(text) ?? [];
  if (feet !== undefined && inches !== undefined) return numberOf(feet) * MILLIMETRES.ft + numberOf(inches) * MILLIMETRES.in;
  const [, number, word = ''] = LENGTH.exec(text) ?? [];
  const own = word === '' ? unit : unitOf(word);
  return number !== undefined && own ? numberOf(number) * MILLIMETRES[own] : undefined;
}

/**
 * Parses a length typed into a box with a unit: `120`, `120 cm`, `47.5"`, `6 ft 2`, `29 1/2`. Returns exact millimetres; undefined if it is not a single
 * length.
 */
export const readLength = (typed: string, unit: LengthUnit): number | undefined => plainLength(plain(typed), unit);
