import type { Compilable, CompiledQuery } from 'kysely';
import type { Db } from './connect.ts';

/** Stands in a statement where its value belongs. */
const VALUE = Symbol('value');

/**
 * A statement of one value that is built and put into words once for the process, and not each time: for the few that every page needs, as that takes longer
 * than sending it. `build` may do nothing with the value but pass it on as a parameter.
 */
export function compiledOnce<V, Row>(build: (db: Db, value: V) => Compilable<Row>): (db: Db, value: V) => Promise<Row[]> {
  let compiled: CompiledQuery<Row> | undefined;
  return async (db, value) => {
    compiled ??= build(db, VALUE as V).compile();
    const parameters = compiled.parameters.map((parameter) => (parameter === VALUE ? value : parameter));
    return (await db.executeQuery<Row>({ ...compiled, parameters })).rows;
  };
}
