import { compactPostcode } from '#contract/market/address-rules.ts';
import { UNITED_KINGDOM } from '#contract/market/market.ts';
import type { Pence } from '#contract/market/money.ts';

/** Where delivery differs from the rest of the country. */
export interface Area {
  /** As the owner writes them: `IV, HS, KW15-17, BT`. */
  postcodes: string;
  /** Added to the price of each method. */
  surcharge: Pence;
  /** Added to the days of each method. */
  extraDays: number;
  /** The ids of the methods that do not go there. */
  without: string[];
  /** Why nothing is delivered there; empty if something is. */
  refusal: string;
}

export interface Place {
  postalCode: string;
  country: string;
}

/** A postcode area, or some of its districts: `KW15-17`, `W1A`. */
interface District {
  letters: string;
  first: number;
  last: number;
  suffix: string;
}

/** The letters with which British postcodes begin, with those of the Channel Islands and the Isle of Man. */
const LETTERS = new Set(
  `AB AL B BA BB BD BH BL BN BR BS BT CA CB CF CH CM CO CR CT CV CW DA DD DE DG DH DL DN DT DY E EC EH EN EX FK FY G GL GU GY HA HD HG HP HR HS HU HX
  IG IM IP IV JE KA KT KW KY L LA LD LE LL LN LS LU M ME MK ML N NE NG NN NP NR NW OL OX PA PE PH PL PO PR RG RH RM S SA SE SG SK SL SM SN SO SP SR SS
  ST SW SY TA TD TF TN TQ TR TS TW UB W WA WC WD WF WN WR WS WV YO ZE`.split(/\s+/),
);
const POSTCODE = /^([A-Z]{1,2})(\d{1,2})([A-Z]?)(\d[A-Z]{2})?$/;
const DISTRICT = /^([A-Z]{1,2})(?:(\d{1,2})(?:-[A-Z]*(\d{1,2})|([A-Z]))?)?$/;

/** Whether a text is a postcode or the first half of one. */
export const isPostcodeOrFirstHalf = (text: string): boolean => POSTCODE.test(compactPostcode(text));

/** Whether two postcodes can be the same: either may be only the first half. */
export function canBeSamePostcode(one: string, other: string): boolean {
  const [a = '', b = ''] = [one, other].map((text) => compactPostcode(text));
  if (a === b) return true;
  const [first, second] = [POSTCODE.exec(a), POSTCODE.exec(b)];
  if (!first || !second) return false;
  const isSameDistrict = [1, 2, 3].every((part) => first[part] === second[part]);
  const isEitherHalf = !first[4] || !second[4];
  return isSameDistrict && isEitherHalf;
}

const partsOf = (postcodes: string): string[] =>
  postcodes
    .toUpperCase()
    .split(/[,;\n]/)
    .map((part) => part.replace(/\s/g, '').replace(/[–—]/g, '-'))
    .filter(Boolean);

function districtOf(part: string): District | undefined {
  const [, letters = '', first, last = first, suffix = ''] = DISTRICT.exec(part) ?? [];
  if (!LETTERS.has(letters)) return undefined;
  return { letters, first: Number(first ?? 0), last: Number(last ?? 99), suffix };
}

const districtsOf = (postcodes: string): District[] => partsOf(postcodes).flatMap((part) => districtOf(part) ?? []);

const overlap = (a: District, b: District): boolean =>
  a.letters === b.letters && a.first <= b.last && b.first <= a.last && (a.suffix === '' || b.suffix === '' || a.suffix === b.suffix);

/** What is wrong with the postcodes of an area, in words. */
export function postcodesProblem(postcodes: string): string | undefined {
  for (const part of partsOf(postcodes)) {
    const district = districtOf(part);
    if (!district) return `“${part}” is not the beginning of a postcode: write IV, KW15-17 or BT`;
    if (district.last < district.first) return `“${part}” ends before it begins`;
  }
  return undefined;
}

/** The first part of an area that another area has too. */
export const overlapOf = (postcodes: string, other: string): string | undefined =>
  partsOf(postcodes).find((part) => districtsOf(part).some((one) => districtsOf(other).some((district) => overlap(one, district))));

/** The area of a place; undefined for the rest of the country, and for other countries. */
export function areaOf<A extends { postcodes: string }>(areas: readonly A[], { postalCode, country }: Place): A | undefined {
  const [, letters, number, suffix = ''] = POSTCODE.exec(compactPostcode(postalCode)) ?? [];
  if (country !== UNITED_KINGDOM || !letters) return undefined;
  const here = { letters, first: Number(number), last: Number(number), suffix };
  // The postcode W1 is not in an area that is named with a further letter, such as W1A.
  return areas.find(({ postcodes }) => districtsOf(postcodes).some((district) => overlap(district, here) && (!district.suffix || suffix)));
}
