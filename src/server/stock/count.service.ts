import { sql } from 'kysely';
import { Problem } from '#contract/platform/problem.ts';
import type { CountBody, Counted, CountLine } from '#contract/stock/stock.ts';
import { recordChange } from '#server/context/audit.ts';
import { type Admin, transactionOf } from '#server/context/context.ts';
import { correctStock, type LockedProduct, lockProducts } from '#server/orders/lines/stock.service.ts';
import { arrayOf } from '#server/platform/database/arrays.ts';
import type { Db, Tx } from '#server/platform/database/connect.ts';
import { isId } from '#server/platform/ids.ts';

interface Difference extends CountLine {
  change: number;
}

const keyOf = ({ productId, size }: Pick<CountLine, 'productId' | 'size'>) => `${productId}/${size ?? ''}`;

/**
 * Enters a count, all or nothing. Stock changes by the difference between the count and the expected stock, or an earlier count of the same sheet, so that
 * sales since the sheet was made stay subtracted, and the same lines sent twice count once. Throws 409, naming the product, for a product or size that is
 * no longer sold, and if more was sold since then than was counted.
 */
export async function enterCount(db: Db, who: Admin, { sheet, lines }: CountBody): Promise<Counted> {
  const latest = [...new Map(lines.map((line) => [keyOf(line), line])).values()];
  return transactionOf(db, who, async (tx) => {
    const products = await lockProducts(tx, [...new Set(latest.map(({ productId }) => productId).filter(isId))]);
    const differences = await differencesOf(tx, sheet, latest);
    check(differences, products);
    await storeCounts(tx, who, sheet, latest);
    const changed = differences.filter(({ change }) => change !== 0);
    for (const reason of new Set(changed.map(({ reason }) => reason))) {
      const pieces = changed.filter((line) => line.reason === reason).map(({ productId, size, change: qty }) => ({ productId, size, qty }));
      await correctStock(tx, pieces, { reason, actor: who.name });
    }
    const counted = `Counted ${latest.length} ${latest.length === 1 ? 'line' : 'lines'} of stock, ${changed.length} different`;
    await recordChange(tx, who, 'stock', null, counted);
    return { same: latest.length - changed.length, changed: changed.length };
  });
}

/** The lines, each with its change of the stock: the difference to an earlier count of the same sheet, else to the expected stock. */
export async function differencesOf<L extends CountLine>(db: Db, sheet: string, lines: readonly L[]): Promise<(L & { change: number })[]> {
  const rows = await db.selectFrom('stockCounts').select(['productId', 'size', 'counted']).where('sheet', '=', sheet).execute();
  const before = new Map(rows.map(({ counted, ...line }) => [keyOf(line), counted]));
  return lines.map((line) => ({ ...line, change: line.counted - (before.get(keyOf(line)) ?? line.expected) }));
}

function check(lines: readonly Difference[], products: ReadonlyMap<string, LockedProduct>): void {
  const changes = new Map<string, number>();
  for (const { productId, size, change, counted } of lines) {
    const product = products.get(productId);
    if (!product) throw new Problem(409, 'A product of this count is no longer sold. Please load the list again.');
    const { name, sizes, countInStock, setParts } = product;
    if (setParts) throw new Problem(409, `${name} is a set. Please count its parts instead.`);
    const lockedSize = sizes.find((entry) => entry.size === size);
    const pieceName = size === null ? name : `${name} (${size})`;
    const hasOtherSizes = size === null ? sizes.length > 0 : !lockedSize;
    if (hasOtherSizes) throw new Problem(409, `The sizes of ${name} have changed since the sheet was made. Please load the list again.`);
    const left = lockedSize?.quantity ?? countInStock;
    if (left + change < 0)
      throw new Problem(
        409,
        `${pieceName}: ${counted} were counted, but more than that have been sold since the sheet was made. Please count it again.`,
      );
    const changeOfAllSizes = (changes.get(productId) ?? 0) + change;
    changes.set(productId, changeOfAllSizes);
    if (countInStock + changeOfAllSizes < 0)
      throw new Problem(
        409,
        `${name}: its count in stock is ${countInStock}, fewer than its sizes add up to. Please edit the product and press “Use the sum” first.`,
      );
  }
}

async function storeCounts(tx: Tx, who: Admin, sheet: string, lines: readonly CountLine[]): Promise<void> {
  const column = (name: 'expected' | 'counted') =>
    arrayOf(
      lines.map((line) => line[name]),
      'int',
    );
  const text = (of: (line: CountLine) => string) => arrayOf(lines.map(of), 'text');
  await sql`
    insert into stock_counts (sheet, product_id, size, expected, counted, reason, actor)
    select ${sheet}::uuid, line.*, ${who.name} from unnest(${arrayOf(
      lines.map(({ productId }) => productId),
      'uuid',
    )}, ${text(({ size }) => size ?? '')},
      ${column('expected')}, ${column('counted')}, ${text(({ reason }) => reason)}) as line
    on conflict (sheet, product_id, size) do update set counted = excluded.counted, reason = excluded.reason, actor = excluded.actor, at = now()`.execute(
    tx,
  );
}
