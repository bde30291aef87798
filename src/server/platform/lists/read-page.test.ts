import { type SqlBool, sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { generate } from '#server/generator/generate.ts';
import { ListIndexCache } from '#server/platform/cache/list-index-cache.ts';
import { isOneOf } from '#server/platform/database/arrays.ts';
import { testDatabase } from '#server/testing/harness.ts';
import { type List, readPage } from './read-page.ts';

const { db, pool } = await testDatabase();
beforeAll(() => generate(pool, { products: 12_500, orders: 0, seed: 2 }));

const SORTS: List['sort'][] = [
  { columns: ['price', 'id'], direction: 'asc' },
  { columns: ['created_at', 'id'], direction: 'desc' },
];
const LENGTHS: [name: string, where: string][] = [
  ['longer than what is sorted as a whole', 'deleted_at is null'],
  ['short', 'deleted_at is null and price < 20000'],
  ['of one', 'deleted_at is null and id = (select min(id::text)::uuid from products)'],
  ['of nothing', 'false'],
];
/** Half of the products, by what nothing depends on. */
const long: List['long'] = {
  indexed: sql<SqlBool>`deleted_at is null`,
  samples: [{ rows: sql<SqlBool>`get_byte(uuid_send(id), 15) < 128`, share: 1 / 2 }],
};
const WAYS: [name: string, more: () => Pick<List, 'isIndexed' | 'cached' | 'long'>][] = [
  ['read anew', () => ({ isIndexed: true })],
  ['with its index kept', () => ({ isIndexed: true, cached: { cache: new ListIndexCache(), name: 'a list' } })],
  ['without an index of its sort', () => ({ isIndexed: false })],
  ['begun before it is counted', () => ({ isIndexed: true, long })],
  ['begun before it is counted, without an index of its sort', () => ({ isIndexed: false, long })],
];

test.each(LENGTHS.flatMap((length) => WAYS.map((way) => ({ length: length[0], where: length[1], way: way[0], more: way[1] }))))(
  'a list $length, $way, has every row on one page and in its place (§12.2)',
  async ({ where, more }) => {
    for (const sort of SORTS) {
      const { rows } = await sql<{ id: string }>`
        select id from products where ${sql.raw(where)} order by ${sql.raw(sort.columns.map((column) => `${column} ${sort.direction}`).join(', '))}`.execute(
        db,
      );
      const ids = rows.map(({ id }) => id);
      const pages = Math.max(1, Math.ceil(ids.length / 10));
      const list: List = { table: 'products', where: sql<SqlBool>`${sql.raw(where)}`, sort, ...more() };
      for (const pageNumber of [1, 2, 100, 101, 102, Math.ceil(pages / 2), pages - 101, pages - 100, pages - 1, pages, pages + 1]) {
        if (pageNumber < 1) continue;
        const page = await readPage(db, list, { pageNumber, pageSize: 10 }, (some) =>
          db.selectFrom('products').select('id as _id').where(isOneOf(some)).execute(),
        );
        expect(page.rows.map(({ _id }) => _id)).toEqual(ids.slice((pageNumber - 1) * 10, pageNumber * 10));
        const isBegun = list.long !== undefined && ids.length > 10_000 && pageNumber <= 24;
        expect([page.page, page.isEstimate]).toEqual([pageNumber, isBegun]);
        if (!isBegun) expect([page.total, page.pages]).toEqual([ids.length, pages]);
        expect(Math.abs(page.total - ids.length)).toBeLessThanOrEqual(ids.length / 20);
      }
    }
  },
);

test('a list of some thousands is begun only in a large table, where all of its rows would take too long to find', async () => {
  const list: List = { table: 'products', where: sql<SqlBool>`price < 60000`, sort: SORTS[1] as List['sort'], isIndexed: false, long };
  const { rows } = await sql<{ id: string }>`select id from products where price < 60000 order by created_at desc, id desc`.execute(db);
  expect(rows.length).toBeGreaterThan(3_500);
  expect(rows.length).toBeLessThan(9_500);
  const first = () =>
    readPage(db, list, { pageNumber: 1, pageSize: 10 }, (some) =>
      db.selectFrom('products').select('id as _id').where(isOneOf(some)).execute(),
    );
  expect((await first()).isEstimate).toBe(false);
  await sql`update pg_class set reltuples = 1000000 where oid = 'products'::regclass`.execute(db);
  const page = await first();
  expect(page.isEstimate).toBe(true);
  expect(page.rows.map(({ _id }) => _id)).toEqual(rows.slice(0, 10).map(({ id }) => id));
});
