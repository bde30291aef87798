import { sql } from 'kysely';
import type { Db } from '#server/platform/database/connect.ts';
import { loadVocabulary } from './vocabulary.ts';

/** A vocabulary entry whose meaning has a word that is in no product's label. */
interface IdleWord {
  typed: string;
  meant: string;
}

/** The number of entries of a file of search words, and those that find nothing in this catalogue, in the file's order. */
export async function findIdleWords(db: Db, file: string): Promise<{ entries: number; idle: IdleWord[] }> {
  const { meanings } = loadVocabulary(file);
  const phrases = [...meanings].flatMap(([, { written = [], words = [], colours = [], materials = [], 'not sold': instead = [] }]) =>
    [...words, ...colours, ...materials, ...instead].map((phrase) => ({ typed: written.join(' '), phrase })),
  );
  const { rows } = await sql<{ word: string }>`
    select word from unnest(${[...new Set(phrases.flatMap(({ phrase }) => phrase))]}::text[]) as word
    where not exists (select from catalogue_words k where k.is_label and (k.word = word.word or k.stem = (ts_lexize('english_stem', word.word))[1]))`.execute(
    db,
  );
  const unknown = new Set(rows.map(({ word }) => word));
  const idle = phrases.filter(({ phrase }) => phrase.some((word) => unknown.has(word)));
  return { entries: meanings.size, idle: idle.map(({ typed, phrase }) => ({ typed, meant: phrase.join(' ') })) };
}
