import { type RawBuilder, type SqlBool, sql } from 'kysely';

/** The condition that a text in lower case contains what was typed, in any case; `%` and `_` are characters like others. */
export const contains = (lowerText: RawBuilder<unknown>, typed: string): RawBuilder<SqlBool> =>
  sql`${lowerText} like ${`%${typed.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`}`;
