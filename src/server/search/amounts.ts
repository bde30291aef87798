import { folded } from './folded.ts';

/** What an amount in a search is about. A length that names no side is the width where it has a bound, and any side where it is meant exactly. */
export type Measured = 'price' | 'width' | 'depth' | 'height' | 'any side';

/** A price or length that was typed, as bounds: whole pence or millimetres, inclusive. */
export interface Amount {
  of: Measured;
  min: number | undefined;
  max: number | undefined;
  /** Where it stands in what was typed. */
  from: number;
  to: number;
}

const NUMBER = String.raw`\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?`;
const UNITS: Record<string, number> = {
  ...{ mm: 1, millimetre: 1, millimeter: 1, cm: 10, centimetre: 10, centimeter: 10, m: 1_000, metre: 1_000, meter: 1_000 },
  ...{ in: 25.4, inch: 25.4, inche: 25.4, '"': 25.4, ft: 304.8, foot: 304.8, feet: 304.8, "'": 304.8 },
};
const UNIT = String.raw`mm|cm|m|millimet(?:re|er)|centimet(?:re|er)|met(?:re|er)|in(?! \d)|inche?|ft|foot|feet`;
const LENGTH = String.raw`(?:${NUMBER}) ?(?:(?:${UNIT})s?\b|["'])(?: ?(?:${NUMBER}) ?(?:in(?:ch(?:es)?)?\b|"))?`;
const MONEY = String.raw`£ ?(?:${NUMBER})|(?:${NUMBER}) ?(?:pounds?|quid|gbp)\b`;
const UNDER =
  'under|below|less than|up to|no more than|at most|max(?:imum)?|within|cheaper than|narrower than|smaller than|shorter than|<=?';
const OVER = 'over|above|more than|from|at least|min(?:imum)?|wider than|larger than|bigger than|taller than|longer than|>=?';
const SIDES: Record<string, Measured> = {
  ...{ wide: 'width', width: 'width', across: 'width', long: 'width', length: 'width', narrower: 'width', wider: 'width', longer: 'width' },
  ...{ deep: 'depth', depth: 'depth', tall: 'height', high: 'height', height: 'height', taller: 'height', shorter: 'height' },
};
const SIDE = 'wide|width|across|long|length|deep|depth|tall|high|height';
const RANGE = new RegExp(
  String.raw`(?:between |from )?(${MONEY}|${LENGTH}|${NUMBER}) ?(?:-|to|and) ?(${MONEY}|${LENGTH})(?: (${SIDE})\b)?`,
  'g',
);
const BOUND = new RegExp(String.raw`(?:\b|(?<=[ ^]))(${UNDER}|${OVER}) ?(${MONEY}|${LENGTH}|(?:${NUMBER})(?![\d.]))(?: (${SIDE})\b)?`, 'g');
const EXACT = new RegExp(String.raw`(${MONEY}|${LENGTH})(?: (${SIDE})\b)?`, 'g');
/** "About 230 cm" is what somebody means who types "230cm": so much more or less. */
const TOLERANCE = 0.04;

/** The first number of a text. */
const numberOf = (text: string) => Number((new RegExp(NUMBER).exec(text)?.[0] ?? '').replaceAll(',', ''));
const isMoney = (text: string) => new RegExp(`^(?:${MONEY})$`).test(text);
const isLength = (text: string) => new RegExp(`^(?:${LENGTH})$`).test(text);
const unitOf = (text: string) => new RegExp(`(?:${NUMBER}) ?([a-z]+|["'])`).exec(text)?.[1] ?? '';

/** More than anything costs or measures. */
const MOST = 2_000_000_000;

const pence = (text: string) => Math.min(MOST, Math.round(numberOf(text) * 100));

/** Whole pence of a price, or whole millimetres of a length; a number without a unit takes that of `like`. */
function amountOf(text: string, like: string): number {
  if (isMoney(text) || (!isLength(text) && isMoney(like))) return pence(text);
  const unit = unitOf(isLength(text) ? text : like);
  const [, inches] = new RegExp(`(?:ft|foot|feet|') ?(${NUMBER})`).exec(text) ?? [];
  const factor = UNITS[unit] ?? UNITS[unit.replace(/s$/, '')] ?? 10;
  return Math.min(MOST, Math.round(numberOf(text) * factor + (inches ? numberOf(inches) * 25.4 : 0)));
}

/** A text of the same length in which places stay what they are: `folded` may make one letter of two. */
const sameLength = (text: string) =>
  [...text]
    .map((letter) => (folded(letter).length === letter.length ? folded(letter) : letter.toLowerCase().slice(0, letter.length)))
    .join('');

function read(match: RegExpExecArray, amount: Pick<Amount, 'of' | 'min' | 'max'>): Amount {
  return { ...amount, from: match.index, to: match.index + match[0].length };
}

function rangeOf(match: RegExpExecArray): Amount {
  const [, low = '', high = '', side = ''] = match;
  const [min, max] = [amountOf(low, high), amountOf(high, high)].sort((a, b) => a - b);
  return read(match, { of: isMoney(high) ? 'price' : (SIDES[side] ?? 'width'), min, max });
}

function boundOf(match: RegExpExecArray): Amount {
  const [, word = '', amount = '', side = ''] = match;
  // A number alone is money: nobody asks for chairs below 250 mm.
  const value = isLength(amount) ? amountOf(amount, amount) : pence(amount);
  const of = isLength(amount) ? (SIDES[side] ?? SIDES[word.split(' ')[0] ?? ''] ?? 'width') : 'price';
  const isUnder = new RegExp(`^(?:${UNDER})$`).test(word);
  return read(match, { of, min: isUnder ? undefined : value, max: isUnder ? value : undefined });
}

function exactOf(match: RegExpExecArray): Amount {
  const [, amount = '', side = ''] = match;
  const value = amountOf(amount, amount);
  if (isMoney(amount)) return read(match, { of: 'price', min: undefined, max: value });
  const slack = Math.round(value * TOLERANCE);
  return read(match, { of: SIDES[side] ?? 'any side', min: value - slack, max: value + slack });
}

/**
 * The prices and lengths in a search, in their order: "under 200 cm" is a width of at most 2000 mm, "£300-£600" a price of 30000 to 60000
 * pence, "230cm wide" a width of about 2300 mm, "below 250" a price. A price without a bound is the most that somebody would pay.
 */
export function amountsIn(typed: string): Amount[] {
  let text = sameLength(typed);
  const found: Amount[] = [];
  for (const [pattern, readOne] of [[RANGE, rangeOf] as const, [BOUND, boundOf] as const, [EXACT, exactOf] as const])
    text = text.replace(pattern, (...parts) => {
      const groups = parts.slice(0, -2) as string[];
      const match = Object.assign(groups, { index: Number(parts.at(-2)), input: text }) as unknown as RegExpExecArray;
      found.push(readOne(match));
      return '\0'.repeat(groups[0]?.length ?? 0);
    });
  return found.sort((a, b) => a.from - b.from);
}
