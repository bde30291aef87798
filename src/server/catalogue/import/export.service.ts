import { type SqlBool, sql } from 'kysely';
import type { Admin } from '#server/context/context.ts';
import { BYTE_ORDER_MARK, csvRow, inBatches } from '#server/platform/csv.ts';
import type { Db } from '#server/platform/database/connect.ts';
import { exportedCell } from './exported.ts';
import { cellsOf, FILE_COLUMNS, PRODUCT_COLUMNS, selectProducts } from './product-csv.ts';

const FIRST_KEY = '00000000-0000-0000-0000-000000000000';

/** All products as lines of CSV, in the order in which they were made, each with what it held; an import of it changes nothing. */
export async function* exportProducts(db: Db, _: Admin): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK + csvRow(FILE_COLUMNS);
  const at = new Date().toISOString();
  const batches = inBatches((last: { id: string } | undefined, limit) =>
    selectProducts(db, sql<SqlBool>`id > ${last?.id ?? FIRST_KEY}::uuid`)
      .limit(limit)
      .execute(),
  );
  for await (const rows of batches)
    yield rows
      .map(cellsOf)
      .map((cells) => csvRow([...PRODUCT_COLUMNS.map((column) => cells[column]), exportedCell(cells, at)]))
      .join('');
}
