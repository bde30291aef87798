import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ProductFields, Size } from '#contract/catalogue/catalogue.ts';
import type { ProductColumns } from '#contract/catalogue/product-fields.ts';
import { type RoomShape, textOfSpots } from '#contract/catalogue/rooms.ts';
import type { Shown } from '#contract/catalogue/shown-picture.ts';
import { SECTIONS, type ShopSettings } from '#contract/settings/sections.schema.ts';
import { hashPassword } from '#server/accounts/password.ts';
import { deriveAttributes } from '#server/catalogue/attributes/derive.service.ts';
import { COMMAND_LINE } from '#server/context/audit.ts';
import type { Services } from '#server/context/services.ts';
import { setStockCause } from '#server/context/stock-cause.ts';
import type { Db, Tx } from '#server/platform/database/connect.ts';
import { newId } from '#server/platform/ids.ts';
import { ROOT } from '#server/platform/root.ts';
import { storeVersion } from '#server/settings/settings-loader.ts';
import { DEMO_ACCOUNTS } from './accounts.ts';
import { keepDemoModel, keepDemoPicture } from './demo-pictures.ts';

/** A picture of demo/pictures, and what it shows. */
type DemoPicture = Shown & { file: string };

/** A product of demo/products.json: amounts in pence. A set has measurements of its own, and names its parts by slug. */
interface DemoProduct extends ProductColumns, Pick<ProductFields, 'colors'> {
  slug: string;
  images: DemoPicture[];
  rating: number;
  measurements?: Size['measurements'];
  /** `model`: its name in demo/models; once it is stored, its URL. */
  sizes: (Size & { model?: string | null })[];
}

/** A room of demo/rooms.json: the places of its products in per cent. */
interface DemoRoom {
  file: string;
  shape: RoomShape;
  alt: string;
  products: Record<string, [x: number, y: number]>;
}

/** The heading of a category in demo/categories.json; its picture is a room's. */
interface DemoCategory {
  name: string;
  file: string;
  text: string;
}

const DIR = join(ROOT, 'demo');

/** The demo's accounts, products, categories and rooms, with pictures and models already stored. */
export interface Demo {
  accounts: { id: string; name: string; email: string; isAdmin: boolean; passwordHash: string }[];
  products: StoredProduct[];
  catalogue: ShopSettings['catalogue'];
}

const read = async <T>(file: string) => JSON.parse(await readFile(join(DIR, file), 'utf8')) as T;

/** The headings of the categories and the rooms, as the owner would set them. */
async function prepareCatalogue(pictures: Services['pictures'], products: readonly DemoProduct[]): Promise<ShopSettings['catalogue']> {
  const [rooms, categories] = [await read<DemoRoom[]>('rooms.json'), await read<DemoCategory[]>('categories.json')];
  const nameOf = (wantedSlug: string) => products.find(({ slug }) => slug === wantedSlug)?.name ?? '';
  const prepared: ShopSettings['catalogue'] = { categories: [], rooms: [] };
  for (const { file, shape, alt, products: places } of rooms) {
    const picture = await keepDemoPicture(pictures, 'scenes', file);
    const spots = Object.entries(places).map(([slug, [x, y]]) => ({ name: nameOf(slug), x, y }));
    prepared.rooms.push({ picture, shape, words: alt, pieces: textOfSpots(spots) });
    for (const { name, text } of categories.filter((category) => category.file === file)) prepared.categories.push({ name, text, picture });
  }
  return SECTIONS.catalogue.schema.parse(prepared);
}

export async function prepareDemo(pictures: Services['pictures'], onProgress: (done: number, total: number) => void): Promise<Demo> {
  const accounts = Promise.all(
    DEMO_ACCOUNTS.map(async ({ password, ...user }) => ({ id: newId(), ...user, passwordHash: await hashPassword(password) })),
  );
  const demoProducts = await read<DemoProduct[]>('products.json');
  const products: StoredProduct[] = [];
  for (const product of demoProducts) {
    products.push(await keepFiles(pictures, product));
    onProgress(products.length, demoProducts.length);
  }
  return { accounts: await accounts, products, catalogue: await prepareCatalogue(pictures, demoProducts) };
}

/** Loads the demo into a shop without products and users, in one transaction. */
export async function loadDemo(db: Db, prepare: () => Promise<Demo>): Promise<void> {
  const { isUsed } = await db
    .selectNoFrom((eb) => [
      eb.or([eb.exists(eb.selectFrom('products').select('id')), eb.exists(eb.selectFrom('users').select('id'))]).as('isUsed'),
    ])
    .executeTakeFirstOrThrow();
  if (isUsed) return;
  const { accounts, products, catalogue } = await prepare();
  await db.transaction().execute(async (tx) => {
    await tx.insertInto('users').values(accounts).execute();
    await insertProducts(tx, products);
    await storeVersion(tx, COMMAND_LINE, 'catalogue', { version: 1, values: catalogue });
  });
}

/** A product whose pictures and models are stored. */
type StoredProduct = DemoProduct & { id: string; shown: Record<string, Shown>; model: string | null };

/** The parts of a demo set with IDs for slugs. */
export const withIds = (setParts: string | undefined, ids: ReadonlyMap<string, string>): string =>
  (setParts ?? '').replace(/(?<=\d x )[a-z0-9-]+/g, (slug) => ids.get(slug) ?? slug);

async function keepFiles(pictures: Services['pictures'], product: DemoProduct): Promise<StoredProduct> {
  const shown = await Promise.all(
    product.images.map(async ({ file, ...shows }) => [await keepDemoPicture(pictures, 'pictures', file), shows] as const),
  );
  const sizes = await Promise.all(
    product.sizes.map(async ({ model, ...size }) => ({ ...size, model: model ? await keepDemoModel(pictures, model) : null })),
  );
  return { ...product, sizes, id: newId(), shown: Object.fromEntries(shown), model: await keepDemoModel(pictures, product.slug) };
}

/** Inserts all products in a few statements; the first is the newest. */
async function insertProducts(tx: Tx, products: StoredProduct[]): Promise<void> {
  const now = Date.now();
  const ids = new Map(products.map(({ slug, id }) => [slug, id]));
  const rows = products.map(({ slug: _, sizes: __, images: ___, colors, shown, setParts, measurements, ...columns }, index) => {
    const createdAt = new Date(now - index * 3_600_000).toISOString();
    return {
      ...columns,
      setParts: withIds(setParts, ids),
      measurements: JSON.stringify(measurements ?? []),
      images: Object.keys(shown),
      shown: JSON.stringify(shown),
      colors: JSON.stringify(colors),
      createdAt,
      updatedAt: createdAt,
    };
  });
  await setStockCause(tx, { reason: 'created' });
  await tx.insertInto('products').values(rows).execute();
  const sizes = products.flatMap(({ id, sizes }) =>
    sizes.map(({ measurements, ...size }, position) => ({ productId: id, position, ...size, measurements: JSON.stringify(measurements) })),
  );
  await tx.insertInto('productSizes').values(sizes).execute();
  await deriveAttributes(
    tx,
    products.map(({ id }) => id),
  );
}
