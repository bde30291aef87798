import { type SqlBool, sql } from 'kysely';
import { NIL } from 'uuid';
import {
  type ProductSale,
  type ProductSaleBody,
  reducedPrice,
  type SaleBody,
  type SaleGoods,
  type SaleList,
  type SalePreview,
} from '#contract/catalogue/sale.ts';
import { pounds } from '#contract/market/money.ts';
import { shopTime } from '#contract/market/shop-time.ts';
import { PAGE_SIZE, pagesOf } from '#contract/platform/lists.ts';
import { Problem } from '#contract/platform/problem.ts';
import { recordChange } from '#server/context/audit.ts';
import { type Admin, transactionOf } from '#server/context/context.ts';
import { productsChanged } from '#server/platform/cache/catalogue-changes.ts';
import { arrayOf, isOneOf } from '#server/platform/database/arrays.ts';
import type { Db } from '#server/platform/database/connect.ts';
import { rowsOf } from '#server/platform/database/rows-of.ts';
import { isId } from '#server/platform/ids.ts';
import { conditionOf, NO_FILTERS } from './find/filters.ts';
import { changeSelected, countSelected, readSelected, type Selected } from './selection.service.ts';

/** The most products of a preview. */
const PREVIEWED = 20;

const namesOf = (typed: readonly string[]) => typed.map((name) => name.trim().toLowerCase());

function whereOf({ categories, brands, products }: SaleGoods) {
  const filters = { ...NO_FILTERS, categories: namesOf(categories), brands: namesOf(brands) };
  const named = products.length > 0 ? sql<SqlBool>` and ${isOneOf(products.filter(isId))}` : sql``;
  return sql<SqlBool>`${conditionOf(filters)}${named}`;
}

const EMPTY = 'No piece matches. Choose another category or brand, or other pieces.';

/** The price changes of a product: for each size, or for the product if it has no sizes. */
const reductionsOf = ({ id, name, price, sizes }: Selected, { percent, rounding }: SaleBody) => {
  const priced = sizes.length > 0 ? sizes.map(({ size, ...each }) => ({ size, price: each.price || price })) : [{ size: null, price }];
  return priced.map((each) => ({ _id: id, name, ...each, salePrice: reducedPrice(each.price, percent, rounding) }));
};

/** The price changes of a sale, without starting it. Throws 400 if it has no product, or too many. */
export async function previewSale(db: Db, _: Admin, body: SaleBody): Promise<SalePreview> {
  const total = await countSelected(db, whereOf(body.goods), EMPTY);
  const products = await readSelected(db, whereOf(body.goods), NIL, PREVIEWED);
  return { total, reductions: products.flatMap((product) => reductionsOf(product, body)) };
}

const momentText = (iso: string | null) => (iso === null ? 'now' : shopTime(iso));

/** Gives a selection sale prices, which replace earlier ones. Throws 400 if it has no product, or too many. */
export async function startSale(db: Db, who: Admin, body: SaleBody): Promise<{ changed: number }> {
  await countSelected(db, whereOf(body.goods), EMPTY);
  const { percent, rounding, saleTo } = body;
  // The database's time, since the clock of this process may be ahead of it.
  const saleFrom = body.saleFrom === null ? sql`now()` : sql`${body.saleFrom}::timestamptz`;
  const changed = await changeSelected(db, who, whereOf(body.goods), async (tx, products) => {
    // A size at its product's price (0) is on sale at its product's sale price.
    const sizes = products.flatMap(({ id, sizes }) =>
      sizes.map(({ size, price }) => ({ productId: id, size, salePrice: price === 0 ? null : reducedPrice(price, percent, rounding) })),
    );
    await sql`
      update product_sizes s set sale_price = n.sale_price
      from ${rowsOf('productSizes', sizes)} as n where s.product_id = n.product_id and s.size = n.size`.execute(tx);
    const rows = products.map(({ id, price }) => ({ id, salePrice: reducedPrice(price, percent, rounding) }));
    await sql`
      update products p set sale_price = n.sale_price, sale_from = ${saleFrom}, sale_to = ${saleTo}
      from ${rowsOf('products', rows)} as n where p.id = n.id`.execute(tx);
    const change = `Sale price: ${percent} % less, from ${momentText(body.saleFrom)} to ${momentText(saleTo)}`;
    const ids = products.map(({ id }) => id);
    await recordChange(tx, who, 'product', ids, change);
    return ids.length;
  });
  return { changed };
}

const HAS_SALE = sql<SqlBool>`(sale_price is not null or exists (
  select from product_sizes where product_id = products.id and sale_price is not null))`;

/** Removes the sale prices of a selection. Current sales end immediately. */
export async function endSale(db: Db, who: Admin, goods: SaleGoods): Promise<{ changed: number }> {
  const changed = await changeSelected(db, who, sql<SqlBool>`${whereOf(goods)} and ${HAS_SALE}`, async (tx, products) => {
    const ids = products.map(({ id }) => id);
    await sql`update product_sizes set sale_price = null where product_id = any(${arrayOf(ids, 'uuid')})`.execute(tx);
    await sql`update products set sale_price = null, sale_from = null, sale_to = null where ${isOneOf(ids)}`.execute(tx);
    await recordChange(tx, who, 'product', ids, 'Removed the sale price');
    return ids.length;
  });
  return { changed };
}

/** The products with a current or coming sale, each with the prices of its size with the lowest sale price, as `cheapest`. */
const ON_SALE = sql`
  products cross join lateral (
    select coalesce(nullif(coalesce(s.regular_price, s.price), 0), products.regular_price, products.price) as price,
      coalesce(s.sale_price, case when coalesce(s.regular_price, s.price, 0) = 0 then products.sale_price end) as sale_price,
      case when s.product_id is null then products.was_price else s.was_price end as was_price
    from (select) one left join product_sizes s on s.product_id = products.id
    order by 2 nulls last, 1 limit 1) as cheapest
  where price_changes_at is not null and deleted_at is null and cheapest.sale_price is not null`;

/** The sales by the time of their next price change. */
export async function listSales(db: Db, _: Admin, pageNumber: number): Promise<SaleList> {
  const { rows } = await sql<SaleList['rows'][number]>`
    select id as _id, name, cheapest.price, cheapest.sale_price, case when sale_since is not null then cheapest.was_price end as was_price, sale_from, sale_to,
      sale_since is not null as is_on
    from ${ON_SALE} order by price_changes_at, id limit ${PAGE_SIZE.admin} offset ${(pageNumber - 1) * PAGE_SIZE.admin}`.execute(db);
  // By itself: a page beyond the last, such as after the end of a sale, has no row that could name it.
  const counted = await sql<{ total: number }>`select count(*)::int as total from ${ON_SALE}`.execute(db);
  const total = counted.rows[0]?.total ?? 0;
  return { rows, page: pageNumber, pages: pagesOf(total, PAGE_SIZE.admin), total };
}

/** The most entries of the price log that the back office shows, the latest first. */
const MOST_LOGGED = 30;

/** The prices of a product. Throws 404. */
export async function readProductSale(db: Db, _: Admin, id: string): Promise<ProductSale> {
  const { rows } = await sql<Omit<ProductSale, 'log'>>`
    select coalesce(regular_price, price) as regular_price, sale_price, sale_from, sale_to, sale_since is not null as is_on, array(
      select json_build_object('size', size, 'regularPrice', coalesce(regular_price, price), 'salePrice', sale_price)
      from product_sizes where product_id = products.id order by position) as sizes
    from products where id = ${id}::uuid and state <> 'deleted'`.execute(db);
  const [sale] = rows;
  if (!sale) throw new Problem(404, 'Product not found');
  const log = await db
    .selectFrom('priceLog')
    .select(['size', 'price', 'at'])
    .where('productId', '=', id)
    .orderBy('at', 'desc')
    .orderBy('size')
    .limit(MOST_LOGGED)
    .execute();
  return { ...sale, log };
}

/** Throws 400 for a sale price that is not below the usual one. */
function refuseHigherPrice({ regularPrice, sizes }: ProductSale, body: ProductSaleBody): void {
  const refuse = (usual: number, typed: number | null, ofSize: string, field: string) => {
    if (typed === null || typed < usual) return;
    const message = `The sale price${ofSize} must be below ${pounds(usual)}.`;
    throw new Problem(400, message, { [field]: message });
  };
  refuse(regularPrice, body.salePrice, '', 'salePrice');
  for (const [place, { size, salePrice }] of body.sizes.entries()) {
    const current = sizes.find((entry) => entry.size === size);
    if (!current) throw new Problem(400, `The product no longer has the size ${size}. Reload it to see its sizes.`);
    refuse(current.regularPrice || regularPrice, salePrice, ` of ${size}`, `sizes.${place}.salePrice`);
  }
}

/** Sets or removes the sale prices of a product. Throws 404, and 400 for a price that is not lower. */
export async function setProductSale(db: Db, who: Admin, id: string, body: ProductSaleBody): Promise<ProductSale> {
  await transactionOf(db, who, async (tx) => {
    await sql`select id from products where id = ${id}::uuid for update`.execute(tx);
    refuseHigherPrice(await readProductSale(tx, who, id), body);
    const hasSale = body.salePrice !== null || body.sizes.some(({ salePrice }) => salePrice !== null);
    // The database's time, since the clock of this process may be ahead of it.
    const saleFrom = hasSale ? (body.saleFrom ?? sql<string>`now()`) : null;
    for (const { size, salePrice } of body.sizes)
      await tx.updateTable('productSizes').set({ salePrice }).where('productId', '=', id).where('size', '=', size).execute();
    await tx
      .updateTable('products')
      .set({ salePrice: body.salePrice, saleFrom, saleTo: hasSale ? body.saleTo : null })
      .where('id', '=', id)
      .execute();
    await sql`select refresh_prices(${arrayOf([id], 'uuid')})`.execute(tx);
    const prices = [body.salePrice, ...body.sizes.map(({ salePrice }) => salePrice)].filter((price) => price !== null);
    const change = `Sale price: ${prices.map(pounds).join(', ')}, from ${momentText(body.saleFrom)} to ${momentText(body.saleTo)}`;
    await recordChange(tx, who, 'product', id, hasSale ? change : 'Removed the sale price');
    await productsChanged(tx, [id]);
  });
  return readProductSale(db, who, id);
}
