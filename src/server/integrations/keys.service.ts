import { sql } from 'kysely';
import { withSeeRights } from '#contract/accounts/roles.ts';
import type { ApiKeys, MadeKey, NewKeyBody } from '#contract/integrations/integrations.schema.ts';
import { LONGEST_KEY_DAYS, MAX_KEYS } from '#contract/integrations/integrations.ts';
import { DAY_MS, SHOP_TIME_ZONE, shopDay } from '#contract/market/shop-time.ts';
import { Problem } from '#contract/platform/problem.ts';
import { recordChange } from '#server/context/audit.ts';
import { type Admin, type ProvenAdmin, transactionOf } from '#server/context/context.ts';
import type { Db } from '#server/platform/database/connect.ts';
import { lockName } from '#server/platform/database/name-lock.ts';
import { newId } from '#server/platform/ids.ts';
import { tokenHash } from '#server/platform/link-token.ts';
import { newKey } from '#server/sessions/keys.service.ts';

/** All keys, newest first, without the keys themselves. */
export async function listKeys(db: Db, _: Admin): Promise<ApiKeys> {
  const keys = await db
    .selectFrom('apiKeys')
    .select(['id as _id', 'name', 'rights', 'madeBy', 'madeAt', 'endsAt', 'usedAt'])
    .orderBy('madeAt', 'desc')
    .orderBy('id')
    .execute();
  return { keys };
}

/** Throws 400 for a day in the past or too far away. */
function checkEnd(endsOn: string): void {
  const refuse = (text: string) => {
    throw new Problem(400, text, { endsOn: text });
  };
  if (endsOn < shopDay(new Date().toISOString())) refuse('Choose today or a later day.');
  if (endsOn > shopDay(new Date(Date.now() + LONGEST_KEY_DAYS * DAY_MS).toISOString()))
    refuse('A key lasts at most two years. Choose an earlier day.');
}

/** Makes a key. Only this answer has it: its hash is stored. Throws 400 and 409. */
export function makeKey(db: Db, who: ProvenAdmin, { name, rights: chosen, endsOn }: NewKeyBody): Promise<MadeKey> {
  checkEnd(endsOn);
  const rights = withSeeRights(chosen);
  const key = newKey();
  return transactionOf(db, who, async (tx) => {
    // Two at once would both find room for the last key.
    await lockName(tx, 'api keys');
    const { keys } = await listKeys(tx, who);
    if (keys.length >= MAX_KEYS) throw new Problem(409, `There are ${MAX_KEYS} keys. Delete one that is no longer used.`);
    const end = sql<string>`(${endsOn}::date + 1)::timestamp at time zone ${sql.lit(SHOP_TIME_ZONE)}`;
    await tx
      .insertInto('apiKeys')
      .values({ id: newId(), name, keyHash: tokenHash(key), rights, madeBy: who.name, endsAt: end })
      .execute();
    await recordChange(tx, who, 'settings', null, `Made the API key “${name}” until ${endsOn}, which may ${rights.join(', ')}`);
    return { ...(await listKeys(tx, who)), key };
  });
}

/** Deletes a key: its next call is refused. Throws 404. */
export function deleteKey(db: Db, who: Admin, id: string): Promise<ApiKeys> {
  return transactionOf(db, who, async (tx) => {
    const deleted = await tx.deleteFrom('apiKeys').where('id', '=', id).returning('name').executeTakeFirst();
    if (!deleted) throw new Problem(404, 'This key has already been deleted.');
    await recordChange(tx, who, 'settings', null, `Deleted the API key “${deleted.name}”`);
    return listKeys(tx, who);
  });
}
