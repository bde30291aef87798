import { createHmac, timingSafeEqual } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import { pictureId } from '#contract/catalogue/pictures.ts';
import { HOUR_MS } from '#contract/market/shop-time.ts';
import type { Services } from '#server/context/services.ts';

/** A signature is valid in its hour and the next one: long enough to look, too short to share the URL. */
const signatureOf = (key: Buffer, id: string, hour: number) => createHmac('sha256', key).update(`${id} ${hour}`).digest('base64url');
const thisHour = () => Math.floor(Date.now() / HOUR_MS);

/** Signed URLs of a hidden review's pictures, valid for an hour or two, for those who may see the review. */
export function signedPictures(images: readonly string[], key: Buffer): string[] {
  return images.map((image) => `${image}?key=${signatureOf(key, pictureId(image) ?? '', thisHour())}`);
}

/** The URL of a picture without its signature. */
export const unsigned = (image: string): string => image.replace(/\?.*$/s, '');

/** Whether products, orders or settings use a picture, by its URL. No picture can stand in the settings that are left out. */
export const usedByShop = (url: RawBuilder<unknown>) => sql<boolean>`(exists (select from products where products.images @> array[${url}])
  or exists (select from order_items where order_items.image = ${url})
  or exists (select from shop_settings where section not in ('policies', 'mails', 'delivery') and strpos(values::text, ${url}) > 0))`;

/** The signing keys of pictures that only hidden reviews use, by picture id. */
type Withheld = Record<string, string[]>;

async function readWithheld({ db }: Pick<Services, 'db'>): Promise<Withheld> {
  const { rows } = await sql<{ image: string; key: string }>`
    select held.image, encode(picture_key, 'base64') as key from reviews, unnest(images) as held (image)
    where hidden_at is not null
      and not exists (select from reviews shown where shown.images @> array[held.image] and shown.hidden_at is null)
      and not ${usedByShop(sql`held.image`)}`.execute(db);
  const withheld: Withheld = {};
  for (const { image, key } of rows) {
    const id = pictureId(image) ?? '';
    withheld[id] = [...(withheld[id] ?? []), key];
  }
  return withheld;
}

type VisibilityOf = (id: string, signature: string | undefined) => Promise<'by all' | 'by this visitor' | 'no'>;

/**
 * Decides who may see a picture: everyone, except pictures that only hidden reviews use, which need a valid signature. The list of these is cached until
 * catalogue or settings change; while the database is away, the last known list counts.
 */
export function pictureGate({ db, facts, log }: Pick<Services, 'db' | 'facts' | 'log'>): VisibilityOf {
  let withheld: Withheld = {};
  return async (id, signature = '') => {
    try {
      withheld = await facts.getOrMake('withheld pictures', ['products', 'settings'], () => readWithheld({ db }));
    } catch (error) {
      log.warn(error, 'pictures of hidden reviews could not be read');
    }
    const keys = withheld[id];
    if (!keys) return 'by all';
    const valid = keys.flatMap((key) => [0, 1].map((hoursAgo) => signatureOf(Buffer.from(key, 'base64'), id, thisHour() - hoursAgo)));
    const sent = Buffer.from(signature);
    const isSigned = valid.map((one) => Buffer.from(one)).some((one) => one.length === sent.length && timingSafeEqual(one, sent));
    return isSigned ? 'by this visitor' : 'no';
  };
}
