import type { Compilable, CompiledQuery } from 'kysely';
import type { Db } from './connect.ts';

/** Marks the value's place among the parameters. */
const VALUE = Symbol('value');

/**
 * A query with one value, compiled once for the process: for the few that every page needs, compiling takes longer than sending. `build` may use the value
 * only as a parameter.
 */
export function compiledOnce<V, Row>(build: (db: Db, value: V) => Compilable<Row>): (db: Db, value: V) => Promise<Row[]> {
  let compiled: CompiledQuery<Row> | undefined;
  return async (db, value) => {
    compiled ??= build(db, VALUE as V).compile();
    const parameters = compiled.parameters.map((parameter) => (parameter === VALUE ? value : parameter));
    return (await db.executeQuery<Row>({ ...compiled, parameters })).rows;
  };
}
