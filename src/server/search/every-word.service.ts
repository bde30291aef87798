import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Db } from '#server/platform/database/connect.ts';
import { wordsOf } from './folded.ts';
import type { KnownWord } from './lookup.service.ts';
import { matching, wordQueryOf } from './match.ts';

/** The condition of products that have every word of a search, for the back office. A search of only punctuation finds nothing. */
export async function matchingEveryWord(db: Db, search: string): Promise<RawBuilder<SqlBool>> {
  const { rows: words } = await sql<Pick<KnownWord, 'word' | 'stem'>>`
    select word, (ts_lexize('english_stem', word))[1] as stem from unnest(${wordsOf(search)}::text[]) with ordinality as words (word, place)
    order by place`.execute(db);
  const wanted = words.map((form, index) => ({
    alternatives: [[form]],
    except: [],
    inDescriptions: true,
    begun: index === words.length - 1 ? ('text' as const) : null,
  }));
  return wanted.length === 0 ? sql<SqlBool>`false` : matching(wordQueryOf(wanted));
}
