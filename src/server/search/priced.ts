import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { choices, type Sought } from './match.ts';

/** Pence, more than anything costs. */
const DEAREST = 2 ** 31 - 1;

const together = (parts: readonly RawBuilder<SqlBool>[], by: 'and' | 'or'): RawBuilder<SqlBool> =>
  sql<SqlBool>`(${sql.join(parts, sql.raw(` ${by} `))})`;

/** Any of some words, in any ending, in labels of what costs from `min` to `max` pence. */
const anyPriced = (words: readonly string[], min: number, max: number) =>
  sql<SqlBool>`priced_words(search, price) && priced_between(${words}::text[], ${min}, ${max})`;

/** What is found at some prices, which are in pence and inclusive. */
export type Priced = (min?: number, max?: number) => RawBuilder<SqlBool>;

/** Whether the index of labels has all that can match: descriptions do not count, and what the last word begins is known. */
const isServed = ({ isTold, begun, completions }: Sought) => !isTold && (begun === null || (begun === 'label' && completions !== null));

/** One of the phrases of what is wanted. */
function wantedPriced({ any, begun, completions }: Sought, min: number, max: number) {
  const phrases = any.map((phrase, index) =>
    together(
      phrase.map((word, place) => {
        const isBegun = begun !== null && index === 0 && place === phrase.length - 1;
        return anyPriced(isBegun ? [word, ...(completions ?? [])] : [word], min, max);
      }),
      'and',
    ),
  );
  return together(phrases, 'or');
}

/**
 * The products that have at least `count` of what is wanted and cost so much, and few others, as a condition that the index of labels serves
 * without reading what costs more or less (migration 0470). Undefined where it serves none of what is wanted.
 */
export function pricedAs(wanted: readonly Sought[], count: number): Priced | undefined {
  const served = wanted.filter(isServed);
  const needed = served.length - (wanted.length - count);
  if (needed < 1) return undefined;
  return (min = 0, max = DEAREST) =>
    together(
      choices(served, needed).map((kept) =>
        together(
          kept.map((one) => wantedPriced(one, min, max)),
          'and',
        ),
      ),
      'or',
    );
}
