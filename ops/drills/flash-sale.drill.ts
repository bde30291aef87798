import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { catalogueChanged } from '#server/platform/cache/catalogue-changes.ts';
import { aFolder } from '#server/testing/a-folder.ts';
import { fillStock } from './books.ts';
import { diceOf, logIn, orderOne, reachProducts } from './buyers.ts';
import { FlashSale, makeCustomers } from './flash-sale.ts';
import { quantile, Readers } from './readers.ts';
import { aWholeShop } from './whole-shop.ts';

const PEOPLE = Number(process.env.SALE_PEOPLE ?? 3_000);
const SECONDS = Number(process.env.SALE_SECONDS ?? 18);
const PIECES = 100;
const MOST_ANSWER_MS = 5_500;
/** The crowd runs on the same cores as the shop. */
const MOST_PAGE_MS = 400;

test(`${PIECES} pieces and ten thousand people a minute: none is sold twice, each order is answered within seconds, the rest of the shop goes on`, async () => {
  const shop = await aWholeShop(aFolder(), { TRUST_PROXY: '127.0.0.1' });
  const [one = expect.fail(), other = expect.fail()] = await reachProducts(shop.url(), 1);
  await fillStock(shop.db);
  await sql`update products set count_in_stock = ${PIECES} where id = ${one._id}`.execute(shop.db);
  await sql`update product_sizes set quantity = ${PIECES} where product_id = ${one._id}`.execute(shop.db);
  await catalogueChanged(shop.db);
  const tokens = await makeCustomers(shop.db, PEOPLE);
  const own = await logIn(shop.url(), 'customer@example.com', 'Customer123!');

  const readers = new Readers();
  readers.start(
    4,
    ['/', '/shop', `/product/${other._id}`, '/api/products?categoryQuery=Sofa'].map((path) => shop.url() + path),
    50,
  );
  const orders: number[] = [];
  const failures: string[] = [];
  let isOver = false;
  const ordering = (async () => {
    while (!isOver) {
      const start = performance.now();
      await orderOne(shop.url(), own, other).catch((error: Error) => failures.push(error.message));
      orders.push(performance.now() - start);
    }
  })();

  const sale = new FlashSale(shop.url(), one, diceOf(1));
  await sale.run(tokens, SECONDS);
  isOver = true;
  await Promise.all([ordering, readers.stop()]);

  const quantilesOf = (figures: readonly number[]) => [0.5, 0.99, 1].map((share) => Math.round(quantile(figures, share))).join(', ');
  process.stdout.write(
    `${PEOPLE} people in ${SECONDS} s, ${sale.mostOpen} connections: ${sale.bought.length} bought, ${sale.soldOut} told that it is sold out, ${sale.gaveUp} gave up, ${sale.askedAgain} times asked to come again; p50, p99, most: an answer to an order ${quantilesOf(sale.answers)} ms, the sale's page ${quantilesOf(sale.pages)}, other pages ${quantilesOf(readers.latencies)}, other orders ${quantilesOf(orders)} (${orders.length}, ${failures.length} refused)\n`,
  );
  expect(sale.wrong).toEqual([]);
  expect(sale.bought).toHaveLength(PIECES);
  expect(sale.soldOut + sale.gaveUp).toBe(PEOPLE - PIECES);
  const { rows } = await sql<{ sold: number; left: number }>`
    select (select coalesce(sum(qty), 0)::int from order_items where product_id = ${one._id}) as sold,
      (select count_in_stock from products where id = ${one._id}) as left`.execute(shop.db);
  expect(rows).toEqual([{ sold: PIECES, left: 0 }]);
  expect(Math.max(...sale.answers)).toBeLessThan(MOST_ANSWER_MS);
  expect(readers.failures).toEqual([]);
  expect(quantile(readers.latencies, 0.99)).toBeLessThan(MOST_PAGE_MS);
});
