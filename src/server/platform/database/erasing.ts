import { sql } from 'kysely';
import type { Tx } from './connect.ts';

/** Runs a change of append-only tables, such as an erasure, which their triggers refuse otherwise. */
export async function erasing<T>(tx: Tx, change: () => Promise<T>): Promise<T> {
  await sql`select set_config('shop.erasing', 'on', true)`.execute(tx);
  const result = await change();
  await sql`select set_config('shop.erasing', '', true)`.execute(tx);
  return result;
}
