import { sql } from 'kysely';
import type { Db } from '#server/platform/database/connect.ts';
import type { Vocabulary } from './vocabulary.ts';

/** A vocabulary entry whose meaning has a word that is in no product's label. */
interface IdleWord {
  typed: string;
  meant: string;
}

/** The entries of a vocabulary that find nothing in this catalogue, in the order of the file. */
export async function findIdleWords(db: Db, { meanings }: Vocabulary): Promise<IdleWord[]> {
  const entries = [...meanings].flatMap(([, { written = [], words = [], colours = [], materials = [], 'not sold': instead = [] }]) =>
    [...words, ...colours, ...materials, ...instead].map((phrase) => ({ typed: written.join(' '), phrase })),
  );
  const { rows } = await sql<{ word: string }>`
    select word from unnest(${[...new Set(entries.flatMap(({ phrase }) => phrase))]}::text[]) as word
    where not exists (select from catalogue_words k where k.is_label and (k.word = word.word or k.stem = (ts_lexize('english_stem', word.word))[1]))`.execute(
    db,
  );
  const unknown = new Set(rows.map(({ word }) => word));
  return entries
    .filter(({ phrase }) => phrase.some((word) => unknown.has(word)))
    .map(({ typed, phrase }) => ({ typed, meant: phrase.join(' ') }));
}
