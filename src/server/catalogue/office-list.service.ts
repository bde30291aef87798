import { type SqlBool, sql } from 'kysely';
import { type ListOfficeProductsQuery, LOW_STOCK, type OfficeProductList } from '#contract/catalogue/catalogue.ts';
import { PAGE_SIZE } from '#contract/platform/lists.ts';
import { asShown, card } from '#server/catalogue/catalogue.service.ts';
import { conditionOf, filtersOf } from '#server/catalogue/filters.ts';
import { SORTS } from '#server/catalogue/sort.ts';
import type { Admin } from '#server/context/context.ts';
import { isOneOf } from '#server/platform/database/arrays.ts';
import type { Db } from '#server/platform/database/connect.ts';
import { isId } from '#server/platform/ids.ts';
import { readPage } from '#server/platform/lists/read-page.ts';
import { wordsOf } from '#server/search/folded.ts';
import { stemmed } from '#server/search/lookup.service.ts';
import { matching } from '#server/search/match.ts';

/**
 * A page of the back office's product list, searched by id or by all words, and filtered by stock. It is not cached, since it must show every move of
 * stock.
 */
export async function listProductsForOffice(db: Db, _: Admin, query: ListOfficeProductsQuery): Promise<OfficeProductList> {
  const list = { table: 'products', where: await filterOf(db, query), sort: SORTS[query.sortBy], isIndexed: true } as const;
  const { rows, ...page } = await readPage(db, list, { pageNumber: query.pageNumber, pageSize: PAGE_SIZE.admin }, (ids) =>
    db.selectFrom('products').select(card).where(isOneOf(ids)).execute(),
  );
  return { products: rows.map(asShown), ...page };
}

async function filterOf(db: Db, query: ListOfficeProductsQuery) {
  const { search, stockQuery } = query;
  const conditions = [conditionOf(filtersOf(query))];
  if (search) conditions.push(isId(search) ? sql<SqlBool>`id = ${search}::uuid` : await matches(db, wordsOf(search)));
  if (stockQuery === 'out') conditions.push(sql<SqlBool>`stock_level = 0`);
  if (stockQuery === 'low') conditions.push(sql<SqlBool>`stock_level between 1 and ${LOW_STOCK}`);
  return sql<SqlBool>`${sql.join(conditions, sql` and `)}`;
}

/** A search of only punctuation finds nothing. */
async function matches(db: Db, words: string[]) {
  const wanted = (await stemmed(db, words)).map((form, index) => ({
    any: [[form]],
    except: [],
    isTold: true,
    begun: index === words.length - 1 ? ('text' as const) : null,
    completions: null,
  }));
  return wanted.length === 0 ? sql<SqlBool>`false` : matching(wanted);
}
