import { type SqlBool, sql } from 'kysely';
import { MINUTE_MS } from '#contract/market/shop-time.ts';
import { Problem } from '#contract/platform/problem.ts';
import type { Db, Tx } from '#server/platform/database/connect.ts';

/** How long a change of many things can be undone. */
export const UNDO_MS = 10 * MINUTE_MS;
/** One that ends later was set by a clock that was ahead, and has ended. */
const LATEST_END_MS = UNDO_MS + MINUTE_MS;
/** The condition for changes whose time is not over. */
export const isUndoable = sql<SqlBool>`undone_at is null and undo_until > now() and undo_until < now() + make_interval(secs => ${LATEST_END_MS / 1_000})`;

/** The tables of changes that can be undone. */
type Undoable = 'bulk_edits' | 'dispatch_batches';

const undoneBefore = () => new Problem(409, 'This has already been undone.');

/** Throws 404 for an unknown change, and 409 for one that was undone or whose time is over. */
export async function checkUndo(
  db: Db,
  table: Undoable,
  id: string,
  { unknown, tooLate }: { unknown: string; tooLate: string },
): Promise<void> {
  const { rows } = await sql<{ undoneAt: string | null; undoUntil: string }>`
    select undone_at, undo_until from ${sql.table(table)} where id = ${id}`.execute(db);
  const [made] = rows;
  if (!made) throw new Problem(404, unknown);
  if (made.undoneAt) throw undoneBefore();
  const left = Date.parse(made.undoUntil) - Date.now();
  if (left <= 0 || left > LATEST_END_MS) throw new Problem(409, tooLate);
}

/** Marks a change as undone, after its undo, so that an interrupted one can be repeated for the rest. Throws 409 if another undo was faster. */
export async function markUndone(tx: Tx, table: Undoable, id: string): Promise<void> {
  const marked = await sql`update ${sql.table(table)} set undone_at = now() where id = ${id} and undone_at is null`.execute(tx);
  if (!marked.numAffectedRows) throw undoneBefore();
}
