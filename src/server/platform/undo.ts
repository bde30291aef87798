import { Problem } from '#contract/platform/problem.ts';

/** How long a change of many things can be undone. */
export const UNDO_MS = 10 * 60_000;

/** The refusal of a second undo. */
export const undoneBefore = () => new Problem(409, 'This has already been undone.');

/**
 * Throws 404 for an unknown change, and 409 for one that was undone or whose time is over. The change is marked as undone after its undo, so that an
 * interrupted undo can be repeated for the rest.
 */
export function checkUndo(
  made: { undoneAt: string | null; undoUntil: string } | undefined,
  { unknown, tooLate }: { unknown: string; tooLate: string },
): void {
  if (!made) throw new Problem(404, unknown);
  if (made.undoneAt) throw undoneBefore();
  if (Date.parse(made.undoUntil) <= Date.now()) throw new Problem(409, tooLate);
}
