import { type SqlBool, sql } from 'kysely';
import { BRING_BACK_DAYS } from '#contract/catalogue/catalogue.ts';
import { modelUrl, pictureId, pictureUrl } from '#contract/catalogue/pictures.ts';
import { HOUR_MS } from '#contract/market/shop-time.ts';
import { catalogueJobs } from '#server/catalogue/jobs.ts';
import type { Services } from '#server/context/services.ts';
import { picturesWithdrawn } from '#server/platform/cache/catalogue-changes.ts';
import { arrayOf } from '#server/platform/database/arrays.ts';
import type { Db } from '#server/platform/database/connect.ts';
import { enqueue, type PayloadOf } from '#server/platform/jobs/queue.ts';
import { usedByShop } from './hidden-review-pictures.ts';

/** Queues a job for each picture that makes its widths; repeated calls queue only one. Retries end after a day. */
export async function queueWidths(db: Db, urls: readonly string[]): Promise<void> {
  for (const url of urls) {
    const id = pictureId(url);
    if (id) await enqueue(db, catalogueJobs.makeWidths, { id }, { key: `widths ${id}`, maxAttempts: 10 });
  }
}

/** Notes a picture or model that is about to be stored. Waits for the end of its removal. */
export async function noteStored(db: Db, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await db
    .insertInto('storedPictures')
    .values(ids.map((id) => ({ id })))
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ againAt: sql<string>`now()` }))
    .execute();
}

/** Whether the same file was stored again lately: somebody else may be about to save a form with it. */
const isStoredAgain = sql<SqlBool>`coalesce(again_at between now() - interval '1 hour' and now() + interval '1 minute', false)`;

/** The ids of pictures or models that this database has stored. The bucket may hold another database's as well, such as the one that this is a copy of. */
async function storedAmong(db: Db, ids: readonly string[]): Promise<string[]> {
  const rows = await db
    .selectFrom('storedPictures')
    .select('id')
    .where(sql<SqlBool>`id = any(${arrayOf(ids, 'text')})`)
    .execute();
  return rows.map(({ id }) => id);
}

/** Removes models that no product uses and that are older than an hour, as with pictures. */
async function removeOrphanedModels({ db, pictures: { models } }: Pick<Services, 'db' | 'pictures'>): Promise<number> {
  const ids = await storedAmong(db, await models.list(new Date(Date.now() - HOUR_MS)));
  if (ids.length === 0) return 0;
  const inUse = await db
    .selectFrom('products')
    .leftJoin('productSizes', 'productSizes.productId', 'products.id')
    .select(['products.model', 'productSizes.model as ofSize'])
    .where(sql<SqlBool>`num_nonnulls(products.model, product_sizes.model) > 0`)
    .where(sql<SqlBool>`(state <> 'deleted' or deleted_at > now() - make_interval(days => ${BRING_BACK_DAYS}))`)
    .execute();
  const used = new Set(inUse.flatMap(({ model, ofSize }) => [model, ofSize]));
  const orphans = ids.filter((id) => !used.has(modelUrl(id)));
  for (const id of orphans) await models.remove(id);
  await picturesWithdrawn(db, orphans);
  return orphans.length;
}

/** Removes pictures and models that nothing uses. Those of the last hour stay: the form that uploaded them may not be saved yet. */
export async function removeOrphanedPictures({ db, pictures, log }: Pick<Services, 'db' | 'pictures' | 'log'>): Promise<void> {
  const removed = await removeUnused({ db, pictures }, await pictures.list(new Date(Date.now() - HOUR_MS)));
  log.info({ removed, models: await removeOrphanedModels({ db, pictures }) }, 'orphaned pictures removed');
}

/** Removes pictures that a review no longer has, and tries those that were stored again lately after an hour. */
export async function removeTakenBack(
  { db, pictures }: Pick<Services, 'db' | 'pictures'>,
  { ids }: PayloadOf<typeof catalogueJobs.removePictures>,
): Promise<void> {
  await removeUnused({ db, pictures }, ids);
  const again = await db
    .selectFrom('storedPictures')
    .select('id')
    .where(sql<SqlBool>`id = any(${arrayOf(ids, 'text')})`)
    .where(isStoredAgain)
    .execute();
  const runAt = new Date(Date.now() + HOUR_MS).toISOString();
  if (again.length > 0) await enqueue(db, catalogueJobs.removePictures, { ids: again.map(({ id }) => id) }, { runAt });
}

/** Removes those of some pictures that nothing uses and that were not stored again lately. Returns their number. */
async function removeUnused({ db, pictures }: Pick<Services, 'db' | 'pictures'>, ids: readonly string[]): Promise<number> {
  const removed: string[] = [];
  for (const id of await storedAmong(db, ids)) {
    const url = pictureUrl(id);
    await db.transaction().execute(async (tx) => {
      // First, since it locks the row: anyone who stores the same file meanwhile waits, and puts it back afterwards.
      const { numDeletedRows } = await tx
        .deleteFrom('storedPictures')
        .where('id', '=', id)
        .where(sql<SqlBool>`not ${isStoredAgain}`)
        .where(sql<SqlBool>`not (${usedByShop(sql`${url}::text`)} or exists (select from reviews where images @> array[${url}]))`)
        .executeTakeFirstOrThrow();
      if (numDeletedRows === 0n) return;
      await pictures.remove(id);
      removed.push(id);
    });
  }
  await picturesWithdrawn(db, removed);
  return removed.length;
}
