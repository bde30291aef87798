import { sql } from 'kysely';
import { MAX_PICTURE_MB, MAX_PICTURES } from '#contract/catalogue/catalogue.ts';
import { isProblem } from '#contract/platform/problem.ts';
import { catalogueJobs } from '#server/catalogue/jobs.ts';
import { recordChange, THE_SHOP } from '#server/context/audit.ts';
import type { Services } from '#server/context/services.ts';
import { type FetchRules, fetchPublic } from '#server/gateways/public-fetch.ts';
import { productsChanged } from '#server/platform/cache/catalogue-changes.ts';
import type { Tx } from '#server/platform/database/connect.ts';
import { enqueue, type PayloadOf } from '#server/platform/jobs/queue.ts';
import { queueWidths } from './pictures.jobs.ts';

/** Stored pictures by source URL; empty text while a fetch is pending. */
export type PictureSources = Readonly<Record<string, string>>;

export const isWebAddress = (text: string): boolean => /^https:\/\/[^\s]+$/i.test(text) && text.length <= 2_000 && URL.canParse(text);

/** Splits a cell of pictures into stored ones and URLs still to be fetched. `images`: the product's now; a picture that was removed is fetched again. */
export function splitPictures(wanted: readonly string[], images: readonly string[], sources: PictureSources) {
  const resolved = wanted.map((text) => {
    const picture = Object.hasOwn(sources, text) ? sources[text] : undefined;
    return picture && images.includes(picture) ? picture : text;
  });
  const isWaiting = (text: string) => Object.hasOwn(sources, text) && sources[text] === '';
  return {
    stored: resolved.filter((text) => !isWebAddress(text)),
    toFetch: [...new Set(resolved.filter((text) => isWebAddress(text) && !isWaiting(text)))],
  };
}

/** Queues fetches in the transaction of the edit. `order` is the whole list, including stored pictures. */
export async function queuePictures(tx: Tx, productId: string, order: readonly string[], toFetch: readonly string[]): Promise<void> {
  if (toFetch.length === 0) return;
  const waiting = JSON.stringify(Object.fromEntries(toFetch.map((address) => [address, ''])));
  await sql`update products set picture_sources = picture_sources || ${waiting}::jsonb where id = ${productId}::uuid`.execute(tx);
  for (const address of toFetch)
    await enqueue(
      tx,
      catalogueJobs.fetchPicture,
      { productId, address, order: [...order] },
      { key: `picture ${productId} ${address}`, maxAttempts: 8 },
    );
}

/** Records in the product's history that a picture is no longer fetched; an import can request it again. */
export async function giveUpPicture(
  tx: Tx,
  { productId, address }: Pick<PayloadOf<typeof catalogueJobs.fetchPicture>, 'productId' | 'address'>,
  reason: string,
): Promise<void> {
  const { numAffectedRows = 0n } = await sql`
    update products set picture_sources = picture_sources - ${address}::text where id = ${productId}::uuid and state <> 'deleted'`.execute(
    tx,
  );
  if (numAffectedRows > 0n) await recordChange(tx, THE_SHOP, 'product', productId, `Could not fetch ${address}: ${reason}`);
}

/** Fetches a picture and inserts it at its position. A permanent failure is recorded in the product's history. */
export async function fetchPicture(
  { db, pictures }: Pick<Services, 'db' | 'pictures'>,
  { productId, address, order }: PayloadOf<typeof catalogueJobs.fetchPicture>,
  rules: Omit<FetchRules, 'mostBytes'> = {},
): Promise<void> {
  let picture = '';
  let failure = '';
  try {
    const bytes = await fetchPublic(address, { ...rules, mostBytes: MAX_PICTURE_MB * 1024 * 1024 });
    picture = await pictures.add(bytes, new URL(address).pathname.split('/').at(-1) || 'The picture');
  } catch (error) {
    if (!isProblem(error) || error.status >= 500) throw error;
    failure = error.message;
  }
  await db.transaction().execute(async (tx) => {
    const product = await tx
      .selectFrom('products')
      .select(['images', 'pictureSources'])
      .where('id', '=', productId)
      .where('state', '<>', 'deleted')
      .forUpdate()
      .executeTakeFirst();
    if (!product) return;
    const { [address]: _, ...others } = product.pictureSources;
    const isFull = !product.images.includes(picture) && product.images.length >= MAX_PICTURES;
    const reason = failure || (isFull ? `A product can have at most ${MAX_PICTURES} pictures.` : '');
    if (reason) {
      await giveUpPicture(tx, { productId, address }, reason);
      return;
    }
    const sources = { ...others, [address]: picture };
    const placeOf = (image: string) => {
      const at = order.findIndex((text) => text === image || (Object.hasOwn(sources, text) && sources[text] === image));
      return at === -1 ? order.length : at;
    };
    const images = [...new Set([...product.images, picture])].sort((one, other) => placeOf(one) - placeOf(other));
    await tx
      .updateTable('products')
      .set((eb) => ({
        images,
        pictureSources: JSON.stringify(sources),
        version: eb('version', '+', 1),
        updatedAt: new Date().toISOString(),
      }))
      .where('id', '=', productId)
      .execute();
    await recordChange(tx, THE_SHOP, 'product', productId, `Fetched the picture ${address}`);
    await queueWidths(tx, [picture]);
    await productsChanged(tx, [productId]);
  });
}
