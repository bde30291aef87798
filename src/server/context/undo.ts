import { sql } from 'kysely';
import { Problem } from '#contract/platform/problem.ts';
import type { Db, Tx } from '#server/platform/database/connect.ts';

/** How long a change of many things can be undone. */
export const UNDO_MS = 10 * 60_000;

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
  if (Date.parse(made.undoUntil) <= Date.now()) throw new Problem(409, tooLate);
}

/** Marks a change as undone, after its undo, so that an interrupted one can be repeated for the rest. Throws 409 if another undo was faster. */
export async function markUndone(tx: Tx, table: Undoable, id: string): Promise<void> {
  const marked = await sql`update ${sql.table(table)} set undone_at = now() where id = ${id} and undone_at is null`.execute(tx);
  if (!marked.numAffectedRows) throw undoneBefore();
}
