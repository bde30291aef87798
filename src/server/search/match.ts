import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { KnownWord } from './lookup.service.ts';

/** A word with its stem: texts hold both. */
type Form = Pick<KnownWord, 'word' | 'stem'>;

/** What a product must have: one of some phrases. The first is what was typed, the others are what the vocabulary adds. */
export interface Wanted {
  any: readonly (readonly Form[])[];
  /** Phrases that do not count as one of these words, although they begin with it. */
  except: readonly (readonly Form[])[];
  /** Whether this text names the product, rather than describing it. */
  isLabel: boolean;
  /** Whether descriptions match. Not for a kind of furniture: a lamp described as beside a sofa is not a sofa. */
  isTold: boolean;
  /** Where its last word may be only begun: among labels, or where none begins so, anywhere; null where it is the whole word. */
  begun: 'label' | 'text' | null;
  /** Whether the words of what was typed must stand side by side. */
  isPhrase?: boolean;
  /** Whether what was typed counts in names only: "lamp table" stands also where the category "Lamp" meets "Table lamps". */
  inName?: boolean;
  /** Whether its last word is a whole label: words that only begin with it then count as little as a description. */
  isWhole: boolean;
}

/** What tells which products match, without how well. */
type Sought = Pick<Wanted, 'any' | 'except' | 'isTold' | 'begun' | 'isPhrase' | 'inName'>;
/** The text of a `tsquery`. Words are letters and digits, so that none is an operator. */
type Query = string;
/** The weights of labels: name, category and room, what is derived and brand. Descriptions have D. */
const LABELS = 'ABC';
const EVERY = 'ABCD';

/** Those of some weights that count. */
const counting = (weights: string, which: string) => [...weights].filter((weight) => which.includes(weight)).join('');
const joined = (parts: readonly Query[], by: '&' | '|'): Query => (parts.length === 1 ? (parts[0] ?? '') : `(${parts.join(` ${by} `)})`);
/** An unweighted lexeme is exact in the index; a weighted one makes PostgreSQL recheck each product. */
function lexeme(word: string, weights: string, mark = ''): Query {
  const marks = `${mark}${weights === EVERY ? '' : weights}`;
  return `'${word}'${marks && ':'}${marks}`;
}

/** A word in any ending, in texts of some weights, in any for none. */
const wholeWord = ({ word, stem }: Form, weights: string): Query =>
  joined(
    [...new Set([stem ?? word, word])].map((form) => lexeme(form, weights)),
    '|',
  );

/**
 * What is wanted, in texts of some weights; without weights, in whatever texts the query is asked of, which must be labels. The last word may be
 * only begun.
 */
export function wantedQuery({ any, except, isTold, begun, isPhrase = false, inName = false }: Sought, weights = EVERY): Query {
  const phrases = any.map((phrase, index) => {
    const own = isTold ? EVERY : inName ? 'A' : LABELS;
    const whole = counting(weights, index === 0 ? own : LABELS);
    const words = phrase.map((form, place) => {
      // Nobody has begun to type what the vocabulary adds.
      if (begun === null || index > 0 || place < phrase.length - 1) return wholeWord(form, whole);
      const beginning = lexeme(form.word, counting(weights, begun === 'text' ? EVERY : LABELS), '*');
      return joined([wholeWord(form, whole), beginning], '|');
    });
    const others = except.filter(([first, ...more]) => phrase.length === 1 && more.length > 0 && first?.stem === phrase[0]?.stem);
    // What shares its category is told apart by names.
    const inNames = weights === '' || index > 0 ? [] : except.filter(({ length }) => length === 1).flat();
    const apart = inNames.map(
      (other) =>
        `(${joined(
          phrase.map((form) => wholeWord(form, 'A')),
          '&',
        )} | !${wholeWord(other, 'A')})`,
    );
    const butNot = others.map((other) => `!(${other.map((form) => wholeWord(form, counting(weights, LABELS))).join(' <-> ')})`);
    // Side by side, as it was typed: a lamp table is no table lamp.
    const phraseOf = isPhrase && index === 0 ? [`(${words.join(' <-> ')})`] : words;
    return joined([...phraseOf, ...butNot, ...apart], '&');
  });
  return joined(phrases, '|');
}

/** The texts of two `tsquery`: for the index of labels, and for that of all texts. A product must match both. */
export interface WordQuery {
  labels: Query | undefined;
  texts: Query | undefined;
}

const allOf = (queries: readonly Query[]): Query | undefined => (queries.length === 0 ? undefined : joined(queries, '&'));
const isOfLabels = ({ isTold, begun, except, inName = false }: Sought) =>
  !isTold && begun !== 'text' && !inName && except.every(({ length }) => length > 1);

/** All that is wanted. */
export const wordQueryOf = (wanted: readonly Sought[]): WordQuery => ({
  labels: allOf(wanted.filter(isOfLabels).map((one) => wantedQuery(one, ''))),
  texts: allOf(wanted.filter((one) => !isOfLabels(one)).map((one) => wantedQuery(one))),
});

/** The products that match a query. */
export function matching({ labels, texts }: WordQuery): RawBuilder<SqlBool> {
  const ofLabels = sql<SqlBool>`ts_filter(search, '{a,b,c}') @@ ${labels}::tsquery`;
  const ofTexts = sql<SqlBool>`search @@ ${texts}::tsquery`;
  if (labels === undefined || texts === undefined) return labels === undefined ? ofTexts : ofLabels;
  return sql<SqlBool>`${ofLabels} and ${ofTexts}`;
}

/** How much a match counts: in the name, or else in category and room, in what is derived and brand, in the description. */
const LEVELS = [
  { points: 8, weights: 'A' },
  { points: 6, weights: 'AB' },
  { points: 5, weights: 'ABC' },
  { points: 3, weights: EVERY },
] as const;

/** The relevance of products in points. The list's sort breaks ties. */
export interface Ranking {
  points: RawBuilder<number>;
  /** The products with more than the given points. */
  above: (points: number) => RawBuilder<SqlBool>;
}

/** What counts in labels of some weights. */
const atLevel = (wanted: Wanted): Wanted => (wanted.isWhole ? { ...wanted, begun: null } : wanted);

/** The ranking of products that have all that is wanted. */
export function rankingOf(wanted: readonly Wanted[]): Ranking {
  const each = wanted.map((one) => {
    const cases = LEVELS.map(({ points, weights }) => {
      const query = weights === EVERY ? wantedQuery(one) : wantedQuery(atLevel(one), weights);
      return sql`when search @@ ${query}::tsquery then ${sql.lit(points)}`;
    });
    return sql`case ${sql.join(cases, sql` `)} else 0 end`;
  });
  const points = sql<number>`(${sql.join(each, sql` + `)})`;
  const above = (least: number) => {
    // Where all others have the most that there is, each must still have so much: the index `products_by_labels` finds those.
    const needed = least + 1 - LEVELS[0].points * (wanted.length - 1);
    const level = LEVELS.findLast((one) => one.points >= needed);
    if (!level) return sql<SqlBool>`false`;
    const isAbove = sql<SqlBool>`${points} > ${sql.lit(least)}`;
    if (level.weights === EVERY) return isAbove;
    const query = joined(
      wanted.map((one) => wantedQuery(atLevel(one), '')),
      '&',
    );
    return sql<SqlBool>`ts_filter(search, ${sql.lit(`{${[...level.weights.toLowerCase()].join(',')}}`)}) @@ ${query}::tsquery and ${isAbove}`;
  };
  return { points, above };
}
