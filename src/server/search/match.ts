import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { wordsOf } from './folded.ts';
import type { KnownWord } from './lookup.service.ts';

/** A word with its stem: the index holds both. */
type Form = Pick<KnownWord, 'word' | 'stem'>;

/** What a product must have: one of some phrases. The first is the typed one, the others are its synonyms in the vocabulary. */
export interface Wanted {
  alternatives: readonly (readonly Form[])[];
  /** Other kinds of piece that do not count: those that begin with the same word, and single words that share its category. */
  except: readonly (readonly Form[])[];
  /** Whether a product is called so, rather than described. */
  isLabel: boolean;
  /** Whether descriptions match. Not for a kind of furniture: a lamp described as beside a sofa is not a sofa. */
  inDescriptions: boolean;
  /** Whether the last typed word may be incomplete, as the beginning of a label or, if no label begins so, of any word; null for a whole word. */
  begun: 'label' | 'text' | null;
  /** Whether the typed words must be adjacent. */
  isPhrase?: boolean;
  /** Whether the typed words count in names only: "lamp table" would match the category "Lamp" with the subcategory "Table lamps". */
  inName?: boolean;
  /** Whether its last word is a whole label: words that only begin with it then count no more than a description. */
  isWhole: boolean;
}

/** What decides whether products match, without how well. */
type Match = Pick<Wanted, 'alternatives' | 'except' | 'inDescriptions' | 'begun' | 'isPhrase' | 'inName'>;
/** The text of a `tsquery`. Words are letters and digits, so that none is an operator. */
type Query = string;
/** The weights of labels: A for the name, B for category and room, C for derived words and brand. Descriptions have D. */
const LABELS = 'ABC';
const EVERY = 'ABCD';

const commonWeights = (some: string, others: string) => [...some].filter((weight) => others.includes(weight)).join('');
const joined = (parts: readonly Query[], by: '&' | '|' | '<->'): Query => `(${parts.join(` ${by} `)})`;
/** An unweighted lexeme is exact in the index; a weighted one makes PostgreSQL recheck each product. */
function lexeme(word: string, weights: string, mark = ''): Query {
  const marks = `${mark}${weights === EVERY ? '' : weights}`;
  return `'${word}'${marks && ':'}${marks}`;
}

/**
 * A word in any ending, in texts of the given weights, or of all weights if none are given. Wherever the index holds a word it holds its stem, except of words
 * with digits. Each form costs a read of the index.
 */
const wholeWord = ({ word, stem }: Form, weights: string): Query => {
  const forms = /\d/.test(word) ? [...new Set([stem ?? word, word])] : [stem ?? word];
  return joined(
    forms.map((form) => lexeme(form, weights)),
    '|',
  );
};

/** The query for a wanted text in texts of the given weights. Without weights it must be used on labels alone. */
export function wantedQuery(
  { alternatives, except, inDescriptions, begun, isPhrase = false, inName = false }: Match,
  weights = EVERY,
): Query {
  const phrases = alternatives.map((phrase, index) => {
    const isTyped = index === 0;
    const typedIn = inDescriptions ? EVERY : inName ? 'A' : LABELS;
    const counted = commonWeights(weights, isTyped ? typedIn : LABELS);
    const words = phrase.map((form, place) => {
      const mayBeIncomplete = isTyped && begun !== null && place === phrase.length - 1;
      if (!mayBeIncomplete) return wholeWord(form, counted);
      const begunIn = commonWeights(weights, begun === 'text' ? EVERY : LABELS);
      const beginning = lexeme(form.word, begunIn, '*');
      const isWithin = form.stem?.startsWith(form.word) && commonWeights(counted, begunIn) === counted;
      return isWithin ? beginning : joined([wholeWord(form, counted), beginning], '|');
    });
    const longer = except.filter(([first, ...more]) => phrase.length === 1 && more.length > 0 && first?.stem === phrase[0]?.stem);
    const notLonger = longer.map((other) => {
      const forms = other.map((form) => wholeWord(form, commonWeights(weights, LABELS)));
      return `!${joined(forms, '<->')}`;
    });
    // Kinds that share a category differ in their names.
    const sharing = weights === '' || !isTyped ? [] : except.filter(({ length }) => length === 1).flat();
    const named = phrase.map((form) => wholeWord(form, 'A'));
    const notSharing = sharing.map((other) => `(${joined(named, '&')} | !${wholeWord(other, 'A')})`);
    // Adjacent words in their order: a lamp table is no table lamp.
    const typed = isPhrase && isTyped ? [joined(words, '<->')] : words;
    return joined([...typed, ...notLonger, ...notSharing], '&');
  });
  return joined(phrases, '|');
}

/** A `tsquery` for the index of labels, and one for the index of all texts. A product must match both. */
export interface WordQuery {
  labels: Query | undefined;
  texts: Query | undefined;
}

const allOf = (queries: readonly Query[]): Query | undefined => (queries.length === 0 ? undefined : joined(queries, '&'));
/** Whether the index of labels is enough. */
const isOfLabels = ({ inDescriptions, begun, except, inName = false }: Match) =>
  !inDescriptions && begun !== 'text' && !inName && except.every(({ length }) => length > 1);

/** The query for products that have all that is wanted. */
export const wordQueryOf = (wanted: readonly Match[]): WordQuery => ({
  labels: allOf(wanted.filter(isOfLabels).map((one) => wantedQuery(one, ''))),
  texts: allOf(wanted.filter((one) => !isOfLabels(one)).map((one) => wantedQuery(one))),
});

/** The products that match a query. */
export function matching({ labels, texts }: WordQuery): RawBuilder<SqlBool> {
  const ofLabels = sql<SqlBool>`ts_filter(search, '{a,b,c}') @@ ${labels}::tsquery`;
  const ofTexts = sql<SqlBool>`search @@ ${texts}::tsquery`;
  if (labels === undefined) return ofTexts;
  return texts === undefined ? ofLabels : sql<SqlBool>`${ofLabels} and ${ofTexts}`;
}

/** The products that have every word of a search, and of the last one the beginning at least, for the back office. A search of only marks finds nothing. */
export function havingEveryWord(search: string): RawBuilder<SqlBool> {
  const words = wordsOf(search);
  const forms = words.map((word, index) => {
    const typed = index === words.length - 1 ? `${word}:*` : word;
    return sql`(to_tsquery('simple', ${typed}) || to_tsquery('english', ${word}))`;
  });
  return words.length === 0 ? sql<SqlBool>`false` : sql<SqlBool>`search @@ (${sql.join(forms, sql` && `)})`;
}

/** The points of a match, by where it is: in the name, else in category and room, else in derived words and brand, else in the description. */
const LEVELS = [
  { points: 8, weights: 'A' },
  { points: 6, weights: 'AB' },
  { points: 5, weights: 'ABC' },
  { points: 3, weights: EVERY },
] as const;

/** The relevance of products in points. The list's sort breaks ties. */
export interface Ranking {
  points: RawBuilder<number>;
  /** A condition of all products with more than the given points, and of some others. */
  above: (points: number) => RawBuilder<SqlBool>;
}

/** In labels a word that is a whole label counts only as such. */
const inLabels = (wanted: Wanted): Wanted => (wanted.isWhole ? { ...wanted, begun: null } : wanted);

/** The ranking of products that have all that is wanted. */
export function rankingOf(wanted: readonly Wanted[]): Ranking {
  const each = wanted.map((one) => {
    const cases = LEVELS.map(({ points, weights }) => {
      const query = weights === EVERY ? wantedQuery(one) : wantedQuery(inLabels(one), weights);
      return sql`when search @@ ${query}::tsquery then ${sql.lit(points)}`;
    });
    return sql`case ${sql.join(cases, sql` `)} else 0 end`;
  });
  // A footstool comes before a set of an armchair and a footstool.
  const points = sql<number>`(${sql.join(each, sql` + `)} - (set_parts <> '')::int)`;
  const above = (given: number) => {
    // The points that each word needs even if all others have the most. The index `products_by_labels` finds the products with that level.
    const needed = given + 1 - LEVELS[0].points * (wanted.length - 1);
    const level = LEVELS.findLast((one) => one.points >= needed);
    if (!level) return sql<SqlBool>`false`;
    if (level.weights === EVERY) return sql<SqlBool>`true`;
    const query = joined(
      wanted.map((one) => wantedQuery(inLabels(one), '')),
      '&',
    );
    return sql<SqlBool>`ts_filter(search, ${sql.lit(`{${[...level.weights.toLowerCase()].join(',')}}`)}) @@ ${query}::tsquery`;
  };
  return { points, above };
}
