import { NUMBERS, type Place } from './folded.ts';

/** What an amount in a search measures. A length without a side is the width, or the height of tall pieces (`search.service.ts`). */
export type Measure = 'price' | 'width' | 'depth' | 'height' | 'seatHeight' | 'door' | 'any side';

/** A typed price or length as inclusive bounds, in whole pence or millimetres. */
export interface Amount extends Place {
  measure: Measure;
  min: number | undefined;
  max: number | undefined;
}

const TENS = ['ten', 'twenty', 'thirty', 'forty', 'fifty', 'sixty', 'seventy', 'eighty', 'ninety'];
const TIMES: Record<string, number> = { hundred: 100, thousand: 1_000, grand: 1_000, k: 1_000 };
const WORTH: Record<string, number> = {
  ...Object.fromEntries(NUMBERS.map((word, worth) => [word, worth])),
  ...Object.fromEntries(TENS.map((word, index) => [word, 10 * (index + 1)])),
  a: 1,
  an: 1,
  couple: 2,
  fiver: 5,
  tenner: 10,
};
/** The words of amounts that are corrected when they are mistyped. */
export const AMOUNT_WORDS: readonly string[] = [
  ...[...TENS, ...NUMBERS.slice(11), ...Object.keys(TIMES)].filter(({ length }) => length > 4),
  ...'under below between around about width depth length height pounds metres inches'.split(' '),
];

/** More than anything costs or measures. */
const MOST = 2_000_000_000;
const DIGITS = String.raw`\d+(?:\.\d+)?`;
const SMALL = `(?:${NUMBERS.slice(1).join('|')})`;
const UNDER_HUNDRED = `(?:${TENS.join('|')})(?:[ -](?:${NUMBERS.slice(1, 10).join('|')}))?`;
const HALF = ' and a half';
/** The count before “hundred” and “grand”. */
const COUNT = `(?:(?:${DIGITS}|${SMALL})(?:${HALF})?|a couple(?: of)?|half an?|an?)`;
const HUNDREDS = String.raw`(?:${COUNT} )?hundred(?: and (?:${UNDER_HUNDRED}|${SMALL})\b(?! (?:hundred|thousand|grand)))?`;
const LONG_UNIT = '(?:foot|feet|ft|inch|met)';
/** “A grand and a half”, “two hundred and fifty”, “twelve hundred”, “six fifty”, “half a metre”; “two” alone may count seats. */
const IN_WORDS = [
  String.raw`(?:£ ?)?(?:${COUNT} ?(?:thousand|grand|k)|thousand)\b(?: ${HUNDREDS}|${HALF})?`,
  HUNDREDS,
  `(?:${SMALL} )?${UNDER_HUNDRED}`,
  `(?:${SMALL}|${DIGITS})${HALF}`,
  `(?:half(?: an?)?|${SMALL})(?= ${LONG_UNIT})`,
  'an?(?= (?:met|foot ))',
  `${SMALL}(?= (?:pounds?|quid|gbp|to|and) |-)`,
  '(?:a )?(?:fiver|tenner)',
].join('|');

/** A number as it is typed: never with an exponent, which a tiny one would have. */
const plainly = (value: number): string => String(Number(Math.min(MOST, value).toFixed(2)));

/** The number that words mean, in digits; sums of thousands with their sign. */
function inDigits(text: string): string {
  const words = text
    .replace(/£|\ban? (?=couple|half|fiver|tenner)|(?<=half) an?\b|(?<=couple) of/g, '')
    .split(/[ -](?:and )?|(?<=\d)(?=k)/);
  let [sum, part, last] = [0, 0, 1];
  for (const word of words.filter(Boolean)) {
    const [times, worth] = [TIMES[word], WORTH[word] ?? Number(word)];
    if (times === 100) part = (part || 1) * times;
    else if (times) [sum, part] = [sum + (part || 1) * times, 0];
    // “A grand and a half”.
    else if (word === 'half') part += last / 2;
    // “Six fifty”.
    else part = part > 0 && part < 20 && worth > 9 ? part * 100 + worth : part + worth;
    last = times ?? 1;
  }
  return `${/£|grand|\dk|\d k|\d.*hundred|\d.*thousand|fiver|tenner/.test(text) ? '£' : ''}${plainly(sum + part)}`;
}

/** Millimetres of each unit. */
const UNITS: [RegExp, number][] = [
  [/^m[mi]/, 1],
  [/^c/, 10],
  [/^m/, 1_000],
  [/^[i"]/, 25.4],
  [/^[f']/, 304.8],
];
const millimetres = (unit: string) => UNITS.find(([pattern]) => pattern.test(unit))?.[1] ?? 1;
const UNIT = String.raw`mm|cm|m|millimet(?:re|er)|centimet(?:re|er)|met(?:re|er)|(?<!\d{4} ?)in(?! \d| stock)|inche?|ft|foot(?! ?(?:stool|rest))|feet`;

/** Amounts as people write them, and how the patterns below read them: “£1200”, “1800mm”, or a plain number. */
const REWRITTEN: [RegExp, (groups: string[]) => string][] = [
  [/(?<=\d),(?=\d{3}(?!\d))/g, () => ''],
  // “Less then 100” is a common error.
  [/(?<=(?:er|less|more) )then\b/g, () => 'than'],
  // “£30ish”.
  [/((?:£ ?)?\d[\d.]*(?: ?(?:pounds|quid))?)[ -]?ish\b/g, ([, sum = '']) => `around ${sum}`],
  // “Three to four hundred” begins at three hundred.
  [
    new RegExp(String.raw`\b(\d(?:\.\d+)?|\d\d|${SMALL})(?= ?(?:-|to|and) ?(?:${DIGITS}|${SMALL}) ?(hundred|thousand|grand|k)\b)`, 'g'),
    ([, low = '', times = '']) => `${low} ${times}`,
  ],
  [
    new RegExp(String.raw`\b(${DIGITS}|${SMALL}|an?) (${LONG_UNIT}\w*)${HALF}\b`, 'g'),
    ([, count = '', unit = '']) => `${inDigits(`${count}${HALF}`)} ${unit}`,
  ],
  [new RegExp(String.raw`(?<![\p{L}\d.,])(?:${IN_WORDS})(?![\p{L}\d])`, 'gu'), ([words = '']) => inDigits(words)],
  // “80-120 cm” begins at 80 cm.
  [
    new RegExp(String.raw`\b(${DIGITS})(?= ?(?:-|to|and|x|by) ?${DIGITS} ?(${UNIT})s?\b)`, 'g'),
    ([, low = '', unit = '']) => `${low} ${unit}`,
  ],
  // “5 ft 6” and “1m80”; “6 ft 2 seater” holds a length and seats.
  [
    /(\d+(?:\.\d+)?) ?(?:ft|foot|feet|') ?(\d+(?:\.\d+)?)(?: ?(?:in(?:ch(?:es)?)?\b|")|(?<=\D\d\d?)(?![\d.]| ?(?:seat|str|door|draw|leg|tier|x|by|[cm]?m|£|pound|quid)))/g,
    ([, feet, inches]) => `${plainly(Number(feet) * 12 + Number(inches))} inches`,
  ],
  [
    /(\d) ?m(?:et(?:re|er)s?)? ?(\d\d)(?: ?cm)?\b(?! ?(?:deep|tall|high|x|by|£|pound|quid|seat|mm|m\b))/g,
    ([, metres, more]) => `${metres}.${more} m`,
  ],
  [
    new RegExp(String.raw`(${DIGITS}) ?(?:(${UNIT})s?\b|(["']))`, 'g'),
    ([, number, unit, mark]) => `${Math.min(MOST, Math.round(Number(number) * millimetres(unit ?? mark ?? '')))}mm`,
  ],
  [
    new RegExp(String.raw`£ ?(${DIGITS})(?: ?(?:pounds?|quid|gbp)\b)?|(${DIGITS}) ?(?:pounds?|quid|gbp)\b`, 'g'),
    ([, one, other]) => `£${one ?? other}`,
  ],
];

/** A search with its amounts rewritten, and where each letter, and the end, comes from. */
function rewritten(search: string): { text: string; places: number[] } {
  let text = search;
  let places = Array.from({ length: search.length + 1 }, (_, index) => index);
  for (const [pattern, write] of REWRITTEN) {
    const moved: number[] = [];
    let end = 0;
    text = text.replace(pattern, (match: string, ...rest: unknown[]) => {
      const at = rest.at(-2) as number;
      const written = write([match, ...(rest.slice(0, -2) as string[])]);
      moved.push(...places.slice(end, at), ...Array.from(written.split(''), () => places[at] ?? 0));
      end = at + match.length;
      return written;
    });
    places = [...moved, ...places.slice(end)];
  }
  return { text, places };
}

/** A price, a length or a plain number. */
const AMOUNT = String.raw`£?${DIGITS}(?:mm)?(?![\d.]|mm)`;
/** An amount that names what it is. */
const NAMED = `(?:£${DIGITS}|${DIGITS}mm)`;
const UNDER =
  'under|below|sub|to fit|fits?(?: in)?|less than|up ?to|(?:max(?:imum)? )?budget(?: of| is)?|(?:no|not|nothing) (?:more|wider|deeper|taller|higher|longer|bigger|larger|over)(?: than)?|at most|max(?:imum)?(?: of)?|within|cheaper than|narrower than|smaller than|shorter than|for(?= (?:\\d{3,}|[2-9]0$))|<=?';
const OVER =
  'over|above|more than|from|starting (?:at|from)|upwards of|at ?least|min(?:imum)?(?: of)?|wider than|deeper than|larger than|bigger than|taller than|higher than|longer than|>=?';
const SIDES: [RegExp, Measure][] = [
  [/seat/, 'seatHeight'],
  [/wid|across|long|length|narrow/, 'width'],
  [/deep|depth/, 'depth'],
  [/tall|high|height|short/, 'height'],
];
const SIDE = 'wide|width|across|long|length|deep|depth|tall|high|height';
/** The names of sides, which also come before an amount: “max width 180”, “height of 90 cm”. */
const NOUN = 'seat height|width|depth|length|height';
/** After “between” and “from”, and from 250 on, plain numbers are money: nothing is so wide in centimetres. */
const RANGE = new RegExp(
  String.raw`(?:between |from )?(?<low>${NAMED}|${DIGITS}) ?(?:-|to|(?<=(?:between|from) .*)and) ?(?<high>${NAMED}|${DIGITS}(?= (?:${SIDE})\b)|(?:(?<=(?:between|from) ${DIGITS} ?(?:-|to|and) ?)${DIGITS}|2[5-9]\d|[3-9]\d\d|\d{4})(?![\d.]|mm))(?: (?<side>${SIDE})\b)?`,
  'g',
);
const BOUND = new RegExp(
  String.raw`(?:\b|(?<=[ ^]))(?:(?<first>${NOUN}) (?:of )?)?(?<word>${UNDER}|${OVER}) ?(?:(?<second>${NOUN}) (?:of )?)?(?<amount>${AMOUNT})(?: (?<side>${SIDE})\b)?`,
  'g',
);
/** “80 quid or less”, “£1200 max”. */
const BOUND_AFTER = new RegExp(
  String.raw`(?<amount>${NAMED}|\b\d{3,4}(?= (?:or|max|maximum|tops|plus)\b))(?: (?<side>${SIDE}))? (?:(?:or|and) )?(?<word>less|under|below|max|maximum|tops|more|over|above|min|minimum|plus)\b`,
  'g',
);
const AROUND = 'around|about|approx|approximately|roughly|circa|(?:in the )?region of';
/** “Around £800”. */
const ABOUT = new RegExp(String.raw`\b(?:${AROUND}) ?(?<amount>£?${DIGITS})(?![\d.]|mm| ?seat)`, 'g');
/** “Seat height 45 cm”; “160 wide” and “width 160”, which are centimetres. */
const SIDE_FIRST = new RegExp(String.raw`\b(?<side>${NOUN}) ?(?:of )?(?<amount>${DIGITS}(?:mm)?)(?![\d.]|mm)`, 'g');
/** Also “sofa 180”, which are centimetres. */
const EXACT = new RegExp(
  String.raw`(?:\b(?:${AROUND}) )?(?<amount>${NAMED}|${DIGITS}(?= (?:${SIDE})\b)|(?<=\p{L} )(?:[6-9]\d|[12]\d\d|300)$)(?: (?<side>seat(?: height)?|${SIDE})\b)?`,
  'gu',
);
/** “160 x 45 cm”: the width and the depth. */
const WIDTH_OF_TWO = new RegExp(String.raw`(?<amount>${DIGITS}mm|\b\d{2,3})(?= ?(?:x|by) ?\d{2})`, 'g');
const DEPTH_OF_TWO = new RegExp(String.raw`(?<=\0) ?(?:x|by) ?(?<amount>${DIGITS}mm|\d{2,3}\b)`, 'g');
/** “That fits a 70cm door”, “through a doorway of 76 cm”. */
const DOOR = new RegExp(
  String.raw`(?:\b(?:fits?|goes?|through|for) )*(?:(?:a|the|my|our|an) )?(?:(?<before>${DIGITS}mm|\b\d{2,3})(?: wide)? ?door(?:way|frame)?s?\b|\bdoor(?:way|frame)?s? (?:(?:that )?(?:is|of|width) )*(?<after>${DIGITS}mm)(?: wide)?)`,
  'g',
);
/** The tolerance of an exact length, as a share of it: "230cm" means about 230 cm. Seat heights are meant more exactly. */
const TOLERANCE = 0.04;
const SEAT_TOLERANCE = 0.02;

const isMoney = (text: string) => text.startsWith('£');
const isLength = (text: string) => text.endsWith('mm');
const sideOf = (text: string) => SIDES.find(([pattern]) => pattern.test(text))?.[1];
const times = (text: string, factor: number) => Math.min(MOST, Math.round(Number.parseFloat(text.replace('£', '')) * factor));
const pence = (text: string) => times(text, 100);
/** Millimetres; a plain number is centimetres. */
const lengthOf = (text: string) => times(text, isLength(text) ? 1 : 10);

/** The named groups of the patterns. `first`, `second` and `side` are names of sides, `word` is “under” or “over”. */
type Groups = Partial<Record<'low' | 'high' | 'amount' | 'first' | 'word' | 'second' | 'side' | 'before' | 'after', string | undefined>>;
type Bounds = Pick<Amount, 'measure' | 'min' | 'max'>;

function rangeOf({ low = '', high = '', side = '' }: Groups): Bounds {
  const isPrice = isMoney(high) || !(side || isLength(high));
  const [min, max] = (isPrice ? [pence(low), pence(high)] : [lengthOf(low), lengthOf(high)]).sort((a, b) => a - b);
  return { measure: isPrice ? 'price' : (sideOf(side) ?? 'any side'), min, max };
}

const IS_OVER = new RegExp(`^(?:${OVER}|more|plus)$`);
function boundOf({ first = '', word = '', second = '', amount = '', side = '' }: Groups): Bounds {
  const named = [first, second, side, word].flatMap((one) => sideOf(one) ?? [])[0];
  // A plain number is money: nobody asks for chairs below 250 mm.
  const isSide = isLength(amount) || (named !== undefined && !isMoney(amount));
  const value = isSide ? lengthOf(amount) : pence(amount);
  const measure = isSide ? (named ?? 'any side') : 'price';
  return IS_OVER.test(word) ? { measure, min: value, max: undefined } : { measure, min: undefined, max: value };
}

function exactOf({ amount = '', side = '' }: Groups): Bounds {
  if (isMoney(amount)) return { measure: 'price', min: undefined, max: pence(amount) };
  const value = lengthOf(amount);
  const measure = sideOf(side) ?? 'any side';
  const slack = Math.round(value * (measure === 'seatHeight' ? SEAT_TOLERANCE : TOLERANCE));
  return { measure, min: value - slack, max: value + slack };
}

/** The tolerance of a price with “about”, as a share of it. */
const ABOUT_PRICE = 0.2;
function aboutOf({ amount = '' }: Groups): Bounds {
  const slack = Math.round(pence(amount) * ABOUT_PRICE);
  return { measure: 'price', min: pence(amount) - slack, max: pence(amount) + slack };
}

/** The patterns in the order of precedence: the match of one is hidden from the next. */
const READERS: [RegExp, (groups: Groups) => Bounds][] = [
  [DOOR, ({ before, after = '' }) => ({ measure: 'door', min: undefined, max: lengthOf(before ?? after) })],
  [WIDTH_OF_TWO, ({ amount }) => exactOf({ amount, side: 'width' })],
  [DEPTH_OF_TWO, ({ amount }) => exactOf({ amount, side: 'depth' })],
  [RANGE, rangeOf],
  [ABOUT, aboutOf],
  [BOUND, boundOf],
  [BOUND_AFTER, boundOf],
  [SIDE_FIRST, exactOf],
  [EXACT, exactOf],
];

/**
 * The prices and lengths in a comparable search, in their order: "under 200 cm" is a width of at most 2000 mm, "£300-£600" a price of 30000 to
 * 60000 pence, "230cm wide" a width of about 2300 mm, "below 250" and "a grand" prices. A price without a bound is a maximum.
 */
export function amountsIn(search: string): Amount[] {
  const found: Amount[] = [];
  const { text: digits, places } = rewritten(search);
  let text = digits;
  // Not `matchAll`: it copies the pattern, and compiling such a long one again takes up to a second.
  for (const [pattern, read] of READERS)
    text = text.replace(pattern, (match: string, ...rest: unknown[]) => {
      const [from, , groups] = rest.slice(-3) as [number, string, Groups];
      const end = from + match.length;
      const lastPlace = places[end - 1] ?? 0;
      found.push({ ...read(groups), from: places[from] ?? 0, to: places.slice(end).find((place) => place > lastPlace) ?? search.length });
      return '\0'.repeat(match.length);
    });
  return found.sort((a, b) => a.from - b.from);
}
