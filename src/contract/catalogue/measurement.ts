import { MILLIMETRES, NUMBER, ownUnit, plain, plainLength, type Unit, unitOf } from './lengths.ts';

/** The known outer dimensions of a piece of furniture, in whole millimetres. */
export interface Dimensions {
  width?: number | undefined;
  depth?: number | undefined;
  height?: number | undefined;
}

type Side = keyof Dimensions | 'length' | 'diameter';
/** Ten metres. A larger number without a unit was meant in millimetres, and would show as "2240 cm" on the product's page. */
const MAX_LENGTH = 10_000;

const SIDES: Record<string, Side> = {
  w: 'width',
  width: 'width',
  wide: 'width',
  breadth: 'width',
  across: 'width',
  d: 'depth',
  depth: 'depth',
  deep: 'depth',
  h: 'height',
  height: 'height',
  high: 'height',
  tall: 'height',
  l: 'length',
  length: 'length',
  long: 'length',
  diameter: 'diameter',
  diam: 'diameter',
  dia: 'diameter',
  ø: 'diameter',
};
const SIDE = `(?:${Object.keys(SIDES)
  .sort((a, b) => b.length - a.length)
  .join('|')})`;
const LABEL_FIRST = new RegExp(`^(${SIDE})(?![a-z])\\.? ?[:=]? ?(.+)$`);
/** A label after the length: a separate word, or after a one-letter unit; not the "d" of "95 wood". */
const LABEL_LAST = new RegExp(`^(.+?) ?\\(?(?<![a-z]{2})(${SIDE})\\)?$`);
/** "95d cm" is "95 cm d". */
const LABEL_WITHIN = new RegExp(`^(${NUMBER}) ?(${SIDE}) ?([a-z"']+)$`);
/** Separates sides: "224 x 95", "224x95", "W 224, D 95", "224 by 95". */
const SEPARATOR = new RegExp(`(?: |(?<=[\\d"')a-wyzø]))[x*](?= ?(?:[\\d.(]|${SIDE}(?![a-z])))|\\bby\\b|[,;/] ?(?=${SIDE}(?![a-z]))`);
/** The most common measurement: a whole number, and a name of plain words without a unit. */
const BARE = /^[1-9]\d{0,2}$/;
const PLAIN_NAME = /^(?!.*\b(?:mm|cm|m|in|inch|inches|ft|feet)\b)[a-z ]+$/i;
/** A measurement with such a name lists several sides. */
const WHOLE_PIECE = /^(?:dimensions?|measurements?|size|)$/;
const UNIT_IN_NAME = /(?:\(|\bin |, ?| )(mm|cm|m|in|inch|inches|ft|feet)\)?$/i;
/** A measurement's name without the unit at its end. */
export const withoutUnit = (name: string): string => name.trim().replace(UNIT_IN_NAME, '').trim();

/** "Depth with handles" includes protruding parts. */
const WITH_PROTRUSIONS = / with .*/i;
/** "Height with legs off" is how it is carried, not how it stands. */
const WITH_PART_OFF = / with .* off\b/i;

const RANGE = / ?- ?| to /;

/** Parses a length to whole millimetres; of a range such as "75-110 cm" the longer end, which is the space needed. */
function millimetresOf(text: string, unit: Unit): number | undefined {
  const ends = text.split(RANGE);
  if (ends.length === 2) {
    const [from, to] = ends.map((end) => millimetresOf(end, ownUnit(ends[1] ?? '') ?? unit));
    return from !== undefined && to !== undefined ? Math.max(from, to) : undefined;
  }
  const length = plainLength(text, unit);
  const whole = length === undefined ? Number.NaN : Math.round(length);
  return whole >= 1 && whole <= MAX_LENGTH ? whole : undefined;
}

/** The unit of a measurement: that of its last length, else that in its name, else centimetres. */
const unitFor = (name: string, last = ''): Unit => ownUnit(last) ?? unitOf(UNIT_IN_NAME.exec(plain(name))?.[1] ?? '') ?? 'cm';

interface Part {
  side: Side | undefined;
  text: string;
}

function partOf(written: string): Part {
  const text = written.replace(LABEL_WITHIN, '$1 $3 $2');
  const [, firstLabel, rest] = LABEL_FIRST.exec(text) ?? [];
  if (firstLabel !== undefined && rest !== undefined) return { side: SIDES[firstLabel], text: rest };
  const [, length, lastLabel] = LABEL_LAST.exec(text) ?? [];
  if (length !== undefined && lastLabel !== undefined && /\d/.test(length)) return { side: SIDES[lastLabel], text: length };
  return { side: undefined, text };
}

/** `width x depth` → both sides; undefined if a word names no side. */
function sidesIn(words: string): Side[] | undefined {
  const sides = words.split(/ ?(?:[x*&,/]|\band\b) ?/).map((word) => SIDES[word]);
  return sides.every((side) => side !== undefined) ? sides : undefined;
}

/** The sides that a measurement's name means, in order: one for "Width", an empty list for "Dimensions", undefined for "Seat height". */
function sidesOf(name: string): Side[] | undefined {
  const [, inBrackets = ''] = /\(([^)]*)\)/.exec(name) ?? [];
  const withoutBrackets = plain(name.replace(/\([^)]*\)/g, ' '))
    .replace(UNIT_IN_NAME, '')
    .replace(WITH_PROTRUSIONS, '')
    .trim();
  return WHOLE_PIECE.test(withoutBrackets) ? (sidesIn(plain(inBrackets)) ?? []) : sidesIn(withoutBrackets);
}

/** The sides of parts that are not all labelled: those of the name, else width, depth and height, as in catalogues. */
function sidesByOrder(named: Side[], count: number): Side[] | undefined {
  if (named.length === count) return named;
  return named.length === 0 && count === 3 ? ['width', 'depth', 'height'] : undefined;
}

/** A measurement's lengths by side, in whole millimetres: empty for other measurements (`Seat height`), undefined if unreadable. */
function readSides(name: string, value: string): Partial<Record<Side, number>> | undefined {
  // A fast path for the most common form.
  const bareSide = BARE.test(value) ? SIDES[name.toLowerCase()] : undefined;
  if (bareSide) return { [bareSide]: Number(value) * MILLIMETRES.cm };
  const named = WITH_PART_OFF.test(name) ? undefined : sidesOf(name);
  if (!named) return {};
  const texts = plain(value)
    .split(SEPARATOR)
    .map((text) => text.trim());
  const parts = texts.map(partOf);
  const isNamedSize = named.length === 0 && /^(?:size)?$/.test(plain(name));
  // "Size: Large" means no length.
  if (isNamedSize && parts.length === 1 && !/\d/.test(value)) return {};
  const unit = unitFor(name, parts.at(-1)?.text);
  const sides = parts.every(({ side }) => side) ? parts.map(({ side }) => side) : sidesByOrder(named, parts.length);
  const lengths: Partial<Record<Side, number>> = {};
  for (const [index, { side: labelled, text }] of parts.entries()) {
    const side = sides?.[index];
    const length = millimetresOf(text, unit);
    if (!side || length === undefined || side in lengths || (labelled && labelled !== side)) return undefined;
    if (named.length > 0 && !named.includes(side)) return undefined;
    lengths[side] = length;
  }
  return lengths;
}

/** A length counts as the width if that is missing, else as the depth. A diameter counts as width and depth, if they are missing. */
function outerDimensions({ width, depth, height, length, diameter }: Partial<Record<Side, number>>): Dimensions {
  const sides =
    width === undefined ? { width: length ?? diameter, depth: depth ?? diameter } : { width, depth: depth ?? length ?? diameter };
  return Object.fromEntries(Object.entries({ ...sides, height }).filter(([, side]) => side !== undefined));
}

/**
 * Reads the outer dimensions of a measurement: `{ name: 'Width', value: '224' }` is 2240 mm wide, since a number without a unit is in centimetres.
 * Understands mm, cm, m, inches, feet and both together, "224 x 95 x 80 cm", "W 224 x D 95", and a side in the value ("Width 224 cm"). Empty for a
 * measurement of a part, such as "Seat height"; undefined for an outer dimension that is not understood.
 */
export function readMeasurement(name: string, value: string): Dimensions | undefined {
  const lengths = readSides(name, value);
  return lengths && outerDimensions(lengths);
}

/**
 * The lengths in a measurement's value, in order and in whole millimetres: "224 x 95" is 2240 and 950, "7 ft 4 in" is 2235. Undefined if one of them is not
 * a length ("32 kg") or is a range.
 */
export function lengthsOf(name: string, value: string): number[] | undefined {
  // A fast path: every shown product converts all its measurements.
  if (BARE.test(value) && PLAIN_NAME.test(name)) return [Number(value) * MILLIMETRES.cm];
  const texts = plain(value)
    .split(SEPARATOR)
    .map((text) => partOf(text.trim()).text);
  if (texts.some((text) => RANGE.test(text))) return undefined;
  const unit = unitFor(name, texts.at(-1));
  const lengths = texts.map((text) => millimetresOf(text, unit));
  return lengths.every((length) => length !== undefined) ? lengths : undefined;
}

/** The combined outer dimensions of measurements. The first of a side counts, unless one that includes protruding parts is longer. */
export function dimensionsOf(measurements: readonly { name: string; value: string }[]): Dimensions {
  const sides: Partial<Record<Side, number>> = {};
  for (const { name, value } of measurements)
    for (const [side, length] of Object.entries(readSides(name, value) ?? {}) as [Side, number][])
      sides[side] = WITH_PROTRUSIONS.test(name) ? Math.max(sides[side] ?? 0, length) : (sides[side] ?? length);
  return outerDimensions(sides);
}
