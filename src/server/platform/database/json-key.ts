import { type AliasedRawBuilder, type RawBuilder, type Selectable, sql } from 'kysely';
import type { DB } from './schema.ts';

/** Columns of a table within JSON, where keys keep their spelling and are not read in camel case as columns are: `seat_height` as "seatHeight". */
export const jsonKeys = <T extends keyof DB, const N extends readonly (keyof Selectable<DB[T]> & string)[]>(table: T, ...names: N) =>
  names.map((name) => sql`${sql.ref(`${table}.${name}`)}`.as(sql.raw(`"${name}"`))) as unknown as {
    [I in keyof N]: AliasedRawBuilder<Selectable<DB[T]>[N[I]], N[I]>;
  };

/** The same for a value that is no column. */
export const inJson = <T, const N extends string>(value: RawBuilder<T>, name: N) =>
  value.as(sql.raw(`"${name}"`)) as unknown as AliasedRawBuilder<T, N>;
