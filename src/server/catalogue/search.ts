import { sql } from 'kysely';
import type { Db } from '#server/db/connect.ts';

/** The words of a search, as letters and digits in lower case; what is not a word (query operators, punctuation) separates them. */
export function wordsOf(search: string): string[] {
  return (
    search
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  )
    .slice(0, 8)
    .map((word) => word.slice(0, 40));
}

/** What may stand in one place of a search: the word that was typed, or the words that it may have been meant to be. */
export type Alternatives = readonly string[];

/** A text-search query in which every word must match by its stem, the last also as the beginning of a word. */
export function queryOf(words: readonly Alternatives[]) {
  const stems = words.map((alternatives) => sql`to_tsquery('english', ${alternatives.join(' | ')})`);
  const last = words.at(-1)?.map((word) => `${word}:*`) ?? [];
  const beginnings = sql`to_tsquery('simple', ${last.join(' | ')})`;
  return sql`(${sql.join([...stems.slice(0, -1), sql`(${stems.at(-1)} || ${beginnings})`], sql` && `)})`;
}

/** A text-search query in which at least `count` of the words must match. */
export function queryOfSome(words: readonly Alternatives[], count: number) {
  return sql`(${sql.join(choices(words, count).map(queryOf), sql` || `)})`;
}

/** Every way to keep `count` of some things, in their order. */
function choices<T>(things: readonly T[], count: number): T[][] {
  if (count === 0) return [[]];
  return things.flatMap((thing, index) => choices(things.slice(index + 1), count - 1).map((rest) => [thing, ...rest]));
}

/** Shorter words are taken as they are typed, and say too little to rank by. */
const SHORTEST = 3;

/**
 * How well a product matches, higher is better; undefined or 0 where the search is one word of two letters or one as common as "the".
 * Such a word matches much of the catalogue, and ranking all of it would take seconds and tell nothing.
 */
export function rankOf(words: readonly Alternatives[]) {
  const rank = sql`ts_rank(search, ${queryOf(words)})`;
  const only = words.length === 1 && words[0]?.length === 1 ? words[0][0] : undefined;
  if (only === undefined) return rank;
  return only.length < SHORTEST ? undefined : sql`case when numnode(to_tsquery('english', ${only})) > 0 then ${rank} else 0 end`;
}

/** Whether one typing error at most lies between two words: a letter too many, too few, another, or two exchanged. */
export function isOneErrorApart(a: string, b: string): boolean {
  if (a === b) return true;
  if (Math.abs(a.length - b.length) > 1) return false;
  let start = 0;
  while (start < a.length && a[start] === b[start]) start += 1;
  const [restA, restB] = [a.slice(start), b.slice(start)];
  const isSwapped = restA[0] === restB[1] && restA[1] === restB[0] && restA.slice(2) === restB.slice(2);
  return isSwapped || restA.slice(1) === restB.slice(1) || restA === restB.slice(1) || restA.slice(1) === restB;
}

/** What the catalogue knows of a word that was typed. */
interface Spelling {
  /** The catalogue uses it, in any ending, or it is too short or too common to be a mistake that can be seen. */
  isKnown: boolean;
  /** A word of the catalogue begins with it. */
  isBeginning: boolean;
  /** The words of the catalogue that are one typing error away, the most alike first; none as common as "has", which nobody looks for. */
  near: string[];
}

/** Looks words up in the words of the catalogue; the answers are in the order of `words`. */
export async function lookUp(db: Db, words: readonly string[]): Promise<Spelling[]> {
  const { rows } = await sql<Spelling>`
    select
      length(typed) < ${SHORTEST} or ts_lexize('english_stem', typed) = '{}'
        or exists (select from catalogue_words where word = typed or stem = (ts_lexize('english_stem', typed))[1]) as is_known,
      exists (select from catalogue_words where word like typed || '%') as is_beginning,
      array(select word from catalogue_words where spellings && spellings(typed) and stem is not null order by word <-> typed, word) as near
    from unnest(${words}::text[]) with ordinality as of_search (typed, place)
    order by place`.execute(db);
  return rows.map((row, index) => ({ ...row, near: row.near.filter((word) => isOneErrorApart(words[index] ?? '', word)) }));
}

/** The known words that look like a word at all, best first. */
async function lookalikes(db: Db, word: string): Promise<string[]> {
  const { rows } = await sql<{ word: string }>`
    select word from catalogue_words where word % ${word} order by word <-> ${word} limit 40`.execute(db);
  return rows.map((row) => row.word);
}

/** What a search may have been meant to be. */
interface Correction {
  /** The words with one typing error forgiven in each that the catalogue does not know; a word that no such error explains stays as typed. */
  words: Alternatives[];
  /** The same to be shown; null where nothing was forgiven. */
  text: string | null;
  /** A known word that at least looks like it for each that nothing explains, to be asked for; null where there is none. */
  guess: string | null;
}

/** Looks for what a search that found nothing may have been meant to be. */
export async function correct(db: Db, words: string[]): Promise<Correction> {
  const known = await lookUp(db, words);
  const meant: Alternatives[] = [];
  const guesses: (string | undefined)[] = [];
  for (const [index, word] of words.entries()) {
    const isLast = index === words.length - 1;
    const { isKnown = false, isBeginning = false, near = [] } = known[index] ?? {};
    const isExplained = isKnown || (isLast && isBeginning) || near.length > 0;
    const alike = isExplained ? [] : await lookalikes(db, word);
    const begun = isLast ? alike.find((other) => isOneErrorApart(word, other.slice(0, word.length))) : undefined;
    if (isKnown || (isLast && isBeginning)) meant.push([word]);
    else meant.push(near.length > 0 ? near : [begun ?? word]);
    guesses.push(isExplained ? meant.at(-1)?.[0] : (begun ?? alike[0]));
  }
  const text = meant.map((alternatives) => alternatives.join(' or ')).join(' ');
  const guess = guesses.every((word) => word !== undefined) ? guesses.join(' ') : null;
  return { words: meant, text: text === words.join(' ') ? null : text, guess: guess === words.join(' ') ? null : guess };
}
