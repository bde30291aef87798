import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Sought } from './match.ts';

const together = (parts: readonly RawBuilder<SqlBool>[], by: 'and' | 'or'): RawBuilder<SqlBool> =>
  sql<SqlBool>`(${sql.join(parts, sql.raw(` ${by} `))})`;

/** Any of some words, in any ending, in labels of what costs as the column `step` says. */
const anyPriced = (words: readonly string[]) =>
  sql<SqlBool>`priced_words(search, from_price) && words_at(word_forms(${words}::text[]), step)`;

/** Whether the index of labels has all that can match: descriptions do not count, and what the last word begins is known. */
const isServed = ({ isTold, begun, completions }: Sought) => !isTold && (begun === null || (begun === 'label' && completions !== null));

/** One of the phrases of what is wanted. */
function wantedPriced({ any, begun, completions }: Sought) {
  const phrases = any.map((phrase, index) =>
    together(
      phrase.map(({ word }, place) => {
        const isBegun = begun !== null && index === 0 && place === phrase.length - 1;
        return anyPriced(isBegun ? [word, ...(completions ?? [])] : [word]);
      }),
      'and',
    ),
  );
  return together(phrases, 'or');
}

/**
 * The products of one step of prices (migration 0470) that have what is wanted, and few others, as a condition that the index of labels serves
 * without reading what costs more or less; the column `step` says which. Undefined where it serves none of what is wanted.
 */
export function pricedAs(wanted: readonly Sought[]): RawBuilder<SqlBool> | undefined {
  const served = wanted.filter(isServed);
  return served.length === 0 ? undefined : together(served.map(wantedPriced), 'and');
}
