import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ProductFields } from '#contract/catalogue.ts';
import type { Shown } from '#contract/products/shown-picture.ts';
import { deriveAttributes } from '#server/attributes/derive.service.ts';
import { newId } from '#server/base/ids.ts';
import { ROOT } from '#server/base/root.ts';
import type { Services } from '#server/context/services.ts';
import { hashPassword } from '#server/users/password.ts';
import { keepDemoModel, keepDemoPicture } from './demo-pictures.ts';

/** A picture of demo/pictures, and what it shows. */
type DemoPicture = Shown & { file: string };

/** A product of demo/products.json: amounts in pence. */
type DemoProduct = Omit<ProductFields, 'newArrivals'> & { slug: string; images: DemoPicture[]; isNewArrival: boolean; rating: number };

const ACCOUNTS = [
  { name: 'Ada Admin', email: 'admin@example.com', password: 'Admin123!', isAdmin: true },
  { name: 'Casey Customer', email: 'customer@example.com', password: 'Customer123!', isAdmin: false },
];
const DIR = join(ROOT, 'demo');

/** Loads the demo catalogue and two accounts into an empty shop; does nothing in one that has products or users. All or nothing. */
export async function loadDemo(
  services: Pick<Services, 'db' | 'pictures'>,
  onProgress: (done: number, total: number) => void = () => undefined,
): Promise<void> {
  const { db, pictures } = services;
  const used = await db
    .selectNoFrom((eb) => [
      eb.or([eb.exists(eb.selectFrom('products').select('id')), eb.exists(eb.selectFrom('users').select('id'))]).as('used'),
    ])
    .executeTakeFirstOrThrow();
  if (used.used) return;
  const products = JSON.parse(await readFile(join(DIR, 'products.json'), 'utf8')) as DemoProduct[];
  const users = await Promise.all(
    ACCOUNTS.map(async ({ password, ...user }) => ({ id: newId(), ...user, passwordHash: await hashPassword(password) })),
  );
  await db.transaction().execute(async (tx) => {
    await tx.insertInto('users').values(users).execute();
    for (const [index, product] of products.entries()) {
      const { slug, sizes, colors, images, ...columns } = product;
      const id = newId();
      const kept = await Promise.all(images.map(async ({ file, ...shown }) => [await keepDemoPicture(pictures, file), shown] as const));
      const shown = Object.fromEntries(kept);
      const model = await keepDemoModel(pictures, slug);
      // The first product of the file is the newest.
      const createdAt = new Date(Date.now() - index * 3_600_000).toISOString();
      await tx
        .insertInto('products')
        .values({
          id,
          ...columns,
          images: Object.keys(shown),
          shown: JSON.stringify(shown),
          model,
          colors: JSON.stringify(colors),
          createdAt,
          updatedAt: createdAt,
        })
        .execute();
      const rows = sizes.map(({ measurements, ...size }, position) => ({
        productId: id,
        position,
        ...size,
        measurements: JSON.stringify(measurements),
      }));
      if (rows.length > 0) await tx.insertInto('productSizes').values(rows).execute();
      await deriveAttributes(tx, [id]);
      onProgress(index + 1, products.length);
    }
  });
}
