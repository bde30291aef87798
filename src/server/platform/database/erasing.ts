import { sql } from 'kysely';
import type { Tx } from './connect.ts';

/** Runs a change of tables that are only added to otherwise, such as an erasure: their triggers allow it meanwhile. */
export async function erasing<T>(tx: Tx, change: () => Promise<T>): Promise<T> {
  await sql`select set_config('shop.erasing', 'on', true)`.execute(tx);
  const result = await change();
  await sql`select set_config('shop.erasing', '', true)`.execute(tx);
  return result;
}
