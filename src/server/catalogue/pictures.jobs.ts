import { sql } from 'kysely';
import { pictureUrl } from '#contract/pictures.ts';
import type { Services } from '#server/services.ts';

const HOUR_MS = 3_600_000;

/** Removes pictures that neither a product nor an order names. Young ones stay: the form that uploaded them may still be on its way. */
export async function removeOrphanedPictures({ db, pictures, log }: Services): Promise<void> {
  let removed = 0;
  for (const id of await pictures.list(new Date(Date.now() - HOUR_MS))) {
    const url = pictureUrl(id);
    const { rows } = await sql<{ used: boolean }>`select
      exists (select from products where images @> array[${url}]) or exists (select from order_items where image = ${url}) as used`.execute(
      db,
    );
    if (rows[0]?.used) continue;
    await pictures.remove(id);
    removed += 1;
  }
  log.info({ removed }, 'orphaned pictures removed');
}
