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

/** A text-search query in which every word must match by its stem, the last also as a prefix. */
export function queryOf(words: string[]) {
  const parts = words.map((word, index) => (index === words.length - 1 ? `(${word} | ${word}:*)` : word));
  return sql`to_tsquery('english', ${parts.join(' & ')})`;
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

/** The known words that look most like a word, best first. */
async function neighbours(db: Db, word: string): Promise<string[]> {
  const { rows } = await sql<{ word: string }>`select word from catalogue_words order by word <-> ${word} limit 40`.execute(db);
  return rows.map((row) => row.word);
}

/** Whether the catalogue uses a word, in any ending; the last word of a search may be unfinished. */
async function isKnown(db: Db, word: string, mayBeUnfinished: boolean): Promise<boolean> {
  const start = `${word}%`;
  const begins = mayBeUnfinished ? sql`or word like ${start} or stem like ${start}` : sql``;
  const { rows } = await sql<{ known: boolean }>`select exists (
    select from catalogue_words where word = ${word} or stem = (ts_lexize('english_stem', ${word}))[1] ${begins}) as known`.execute(db);
  return rows[0]?.known ?? false;
}

/**
 * Forgives one typing error in each word that the catalogue does not know. Undefined when there is nothing to forgive
 * or nothing close enough; `isSure` is false where only the nearest spelling could be found.
 */
export async function correct(db: Db, words: string[]): Promise<{ words: string[]; isSure: boolean } | undefined> {
  const corrected: string[] = [];
  let isSure = true;
  for (const [index, word] of words.entries()) {
    const isLast = index === words.length - 1;
    if (await isKnown(db, word, isLast)) {
      corrected.push(word);
      continue;
    }
    const near = await neighbours(db, word);
    const sure =
      near.find((other) => isOneErrorApart(word, other)) ??
      (isLast ? near.find((other) => isOneErrorApart(word, other.slice(0, word.length))) : undefined);
    const best = sure ?? near[0];
    if (!best) return undefined;
    if (!sure) isSure = false;
    corrected.push(best);
  }
  return corrected.join(' ') === words.join(' ') ? undefined : { words: corrected, isSure };
}
