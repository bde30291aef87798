import { sql } from 'kysely';

/** A column within JSON, where keys keep their spelling and are not read in camel case as columns are: `seat_height` as "seatHeight". */
export const jsonKey =
  <V>() =>
  <const N extends string>(name: N) =>
    sql<V>`${sql.ref(name)}`.as<N>(sql.raw(`"${name}"`));
