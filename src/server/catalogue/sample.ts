import { type SqlBool, sql } from 'kysely';
import type { Long, Sample } from '#server/platform/lists/walk.ts';

/** About one in 256 products, and about five, by a random byte of their id. */
const samplesBy = (byte: number): [few: Sample, many: Sample] => [
  { rows: sql<SqlBool>`get_byte(uuid_send(id), ${sql.lit(byte)}) = 0`, share: 1 / 256 },
  { rows: sql<SqlBool>`get_byte(uuid_send(id), ${sql.lit(byte)}) < 5`, share: 5 / 256 },
];

/** The indexes `products_sampled_few` and `products_sampled_many` hold them. */
const FILTERED = samplesBy(15);
/** With their words, `products_all_words_few` and `products_all_words_many`. */
const SEARCHED = samplesBy(14);

/** How a long list of products, which a search may have found, is begun and about counted. */
export const longOf = (isSearched: boolean): Long => ({
  indexed: sql<SqlBool>`deleted_at is null`,
  samples: isSearched ? SEARCHED : FILTERED,
});

/** Enough to tell whether there are very many. */
export const fewOf = (isSearched: boolean): Sample => (isSearched ? SEARCHED : FILTERED)[0];

/** Enough to tell the values of filters. */
export const manyOf = (isSearched: boolean): Sample => (isSearched ? SEARCHED : FILTERED)[1];
