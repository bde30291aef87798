import type { CourierForm, CourierReport } from '#contract/delivery/dispatch.ts';
import { Problem } from '#contract/platform/problem.ts';
import { type Admin, transactionOf } from '#server/context/context.ts';
import type { Services } from '#server/context/services.ts';
import { sendAll } from '#server/delivery/batches.service.ts';
import { trackParcel } from '#server/delivery/dispatch.service.ts';
import { type Flaw, textOf } from '#server/platform/csv.ts';
import { fingerprintOf, type PlannedRow, planCourier } from './courier-plan.ts';
import { readCourierSheet } from './courier-sheet.ts';

type Needs = Pick<Services, 'db' | 'config'>;

const DONE = { dispatch: 'Dispatched', track: 'Tracking number added' };
const TOO_LATE = 'Somebody else has changed this order in the meantime. Choose the file again to see what is left.';

/**
 * Checks a courier's CSV: the effect of each row, or why it has none. With the fingerprint of a check, applies it: dispatches orders as one batch,
 * and adds tracking numbers to parcels that have left. Idempotent, so an interrupted file can be chosen again. Throws 409 if orders have changed
 * since the check or there is nothing to do, and 415 for a file that is not text.
 */
export async function importTracking(services: Needs, who: Admin, form: CourierForm): Promise<CourierReport> {
  const { db, config } = services;
  const { lines, errors } = await readCourierSheet(await textOf(form.file), form.carrier, config.carriers);
  const rows = await planCourier(db, lines);
  const fingerprint = fingerprintOf(rows);
  if (!form.fingerprint) return reportOf(rows, { errors, fingerprint, isDone: false });
  if (fingerprint !== form.fingerprint) throw new Problem(409, 'Orders have changed since the check. Please check the file again.');
  if (rows.every(({ effect }) => effect === 'none')) throw new Problem(409, 'There is nothing to dispatch in this file.');
  return reportOf(await carryOut(services, who, rows), { errors, fingerprint, isDone: true });
}

/** Applies rows, and marks those that came too late. */
async function carryOut({ db, config }: Needs, who: Admin, rows: readonly PlannedRow[]): Promise<PlannedRow[]> {
  const { sent } = await sendAll(
    { db, config },
    who,
    rows.filter(({ effect }) => effect === 'dispatch'),
  );
  const done = new Set(sent);
  for (const { effect, id, parcelId, transport } of rows)
    if (effect === 'track' && (await transactionOf(db, who, (tx) => trackParcel(tx, who, parcelId, transport)))) done.add(id);
  return rows.map((row) => {
    if (row.effect === 'none') return row;
    return done.has(row.id) ? { ...row, text: DONE[row.effect] } : { ...row, effect: 'none', text: TOO_LATE };
  });
}

function reportOf(rows: readonly PlannedRow[], rest: { errors: Flaw[]; fingerprint: string; isDone: boolean }): CourierReport {
  const countOf = (wanted: PlannedRow['effect']) => rows.filter(({ effect }) => effect === wanted).length;
  return {
    ...rest,
    dispatched: countOf('dispatch'),
    tracked: countOf('track'),
    left: countOf('none'),
    rows: rows.map(({ row, reference, effect, text }) => ({ row, reference, effect, text })),
  };
}
