import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Colour, Size } from '#contract/catalogue/catalogue.ts';
import { withIds } from '#server/demo/demo.ts';
import type { Db } from '#server/platform/database/connect.ts';
import { ROOT } from '#server/platform/root.ts';
import { aProduct, type ProductInput } from './factories.ts';

type DemoProduct = Omit<Required<ProductInput>, 'colors' | 'sizes' | 'stock'> & {
  slug: string;
  countInStock: number;
  sizes: Size[];
  colors: Colour[];
};

/** The demo catalogue as its file holds it. */
export const demoProducts = JSON.parse(readFileSync(join(ROOT, 'demo/products.json'), 'utf8')) as DemoProduct[];

/** Puts the demo catalogue into the shop, without its pictures. Returns each product's slug by its id. */
export async function addDemoProducts(db: Db): Promise<Map<string, string>> {
  const slugs = new Map<string, string>();
  const ids = new Map<string, string>();
  for (const { slug, countInStock, colors, images: _, setParts, ...product } of demoProducts) {
    const { _id } = await aProduct(db, {
      ...product,
      stock: countInStock,
      colors: colors.map(({ hexCode }) => hexCode),
      setParts: withIds(setParts, ids),
    });
    slugs.set(_id, slug);
    ids.set(slug, _id);
  }
  return slugs;
}
