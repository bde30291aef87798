import { createHmac, timingSafeEqual } from 'node:crypto';
import { sql } from 'kysely';
import { pictureId } from '#contract/catalogue/pictures.ts';
import type { Services } from '#server/context/services.ts';

const HOUR_MS = 3_600_000;

/** A signature is good for the hour in which it was made and the next one: long enough to look, too short to pass the address on. */
const signatureOf = (key: Buffer, id: string, hour: number) => createHmac('sha256', key).update(`${id} ${hour}`).digest('base64url');
const thisHour = () => Math.floor(Date.now() / HOUR_MS);

/** The addresses at which a hidden review's pictures can be seen for an hour or two, by whoever may see the review. */
export function signedPictures(images: readonly string[], key: Buffer): string[] {
  return images.map((image) => `${image}?key=${signatureOf(key, pictureId(image) ?? '', thisHour())}`);
}

/** The address of a picture without its signature. */
export const unsigned = (image: string): string => image.replace(/\?.*$/s, '');

/** The keys of pictures that only hidden reviews name, by the pictures' ids. */
type Withheld = Record<string, string[]>;

async function readWithheld({ db }: Pick<Services, 'db'>): Promise<Withheld> {
  const { rows } = await sql<{ image: string; key: string }>`
    select held.image, encode(picture_key, 'base64') as key from reviews, unnest(images) as held (image)
    where hidden_at is not null
      and not exists (select from reviews shown where shown.images @> array[held.image] and shown.hidden_at is null)
      and not exists (select from products where products.images @> array[held.image])
      and not exists (select from order_items where order_items.image = held.image)`.execute(db);
  const withheld: Withheld = {};
  for (const { image, key } of rows) {
    const id = pictureId(image) ?? '';
    withheld[id] = [...(withheld[id] ?? []), key];
  }
  return withheld;
}

type MayBeSeen = (id: string, signature: string | undefined) => Promise<'by all' | 'by this visitor' | 'no'>;

/**
 * Who may see a picture: everybody, but for those that only hidden reviews name, which need a signature of the last hour. Which these are is
 * read once and again after a change of the catalogue; where the database cannot be reached, what was known last counts.
 */
export function pictureGate({ db, facts, log }: Pick<Services, 'db' | 'facts' | 'log'>): MayBeSeen {
  let known: Withheld = {};
  return async (id, signature = '') => {
    try {
      known = await facts.getOrMake('withheld pictures', () => readWithheld({ db }));
    } catch (error) {
      log.warn(error, 'pictures of hidden reviews could not be read');
    }
    const keys = known[id];
    if (!keys) return 'by all';
    const good = keys.flatMap((key) => [0, 1].map((ago) => signatureOf(Buffer.from(key, 'base64'), id, thisHour() - ago)));
    const sent = Buffer.from(signature);
    const isSigned = good.map((one) => Buffer.from(one)).some((one) => one.length === sent.length && timingSafeEqual(one, sent));
    return isSigned ? 'by this visitor' : 'no';
  };
}
