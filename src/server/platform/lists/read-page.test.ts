import { type SqlBool, sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { isOneOf } from '#server/platform/database/arrays.ts';
import { emptyDatabase } from '#server/testing/harness.ts';
import { type List, readPage } from './read-page.ts';

const { db, pool } = await emptyDatabase();
/** More rows than are sorted as a whole, many of them alike in what they are sorted by. */
beforeAll(() =>
  pool.query(`
    create table products as
      select md5(n::text)::uuid as id, 5000 + n * 37 % 600 * 100 as price, now() - make_interval(mins => n % 900) as created_at,
        null::timestamptz as deleted_at
      from generate_series(1, 12500) as n;
    create index on products (price, id);
    create index on products (created_at, id);
    analyze products`),
);

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
const WAYS: [name: string, isIndexed: boolean][] = [
  ['along the index of its sort', true],
  ['without an index of its sort', false],
];

test.each(LENGTHS.flatMap((length) => WAYS.map((way) => ({ length: length[0], where: length[1], way: way[0], isIndexed: way[1] }))))(
  'a list $length, $way, has every row on one page and in its place (§12.2)',
  async ({ where, isIndexed }) => {
    for (const sort of SORTS) {
      const { rows } = await sql<{ id: string }>`
        select id from products where ${sql.raw(where)} order by ${sql.raw(sort.columns.map((column) => `${column} ${sort.direction}`).join(', '))}`.execute(
        db,
      );
      const ids = rows.map(({ id }) => id);
      const pages = Math.max(1, Math.ceil(ids.length / 10));
      const list: List = { table: 'products', where: sql<SqlBool>`${sql.raw(where)}`, sort, isIndexed };
      for (const pageNumber of [1, 2, 100, 101, 102, Math.ceil(pages / 2), pages - 101, pages - 100, pages - 1, pages, pages + 1]) {
        if (pageNumber < 1) continue;
        const page = await readPage(db, list, { pageNumber, pageSize: 10 }, (some) =>
          db.selectFrom('products').select('id as _id').where(isOneOf(some)).execute(),
        );
        expect(page.rows.map(({ _id }) => _id)).toEqual(ids.slice((pageNumber - 1) * 10, pageNumber * 10));
        expect([page.page, page.total, page.pages]).toEqual([pageNumber, ids.length, pages]);
      }
    }
  },
);
