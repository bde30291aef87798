import { useState } from 'react';
import type { CourierReport } from '#contract/delivery/dispatch.ts';
import { countText, ordersText } from '#web/admin/count-text.ts';
import { ImportFrame, RowErrors, useImport } from '#web/admin/import-form.tsx';
import { formOf } from '#web/browser/form-of.ts';
import { useAppDispatch } from '#web/state/store.ts';
import { request } from '#web/state/thunk.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Select } from '#web/ui/form/field.tsx';
import { Table } from '#web/ui/table.tsx';
import { useCarrierNames } from './transport-fields.tsx';

const PARTLY_DONE = 'Part of the file may have been carried out. Choose it again for the rest: nothing is done twice.';
const INTRO =
  'A courier’s CSV with a column for the order reference and one for the tracking number; it may also have one for the carrier. Its orders are dispatched with these numbers, and their customers are told after ten minutes; until then you can undo it. The file is checked first.';

function Report({ report: { isDone, dispatched, tracked, left, errors, rows } }: { report: CourierReport }) {
  if (errors.length > 0)
    return (
      <>
        <Alert>The file has errors. Correct them, then choose it again.</Alert>
        <RowErrors errors={errors} />
      </>
    );
  const counts = [
    `${ordersText(dispatched)} dispatched`,
    ...(tracked > 0 ? [`${countText(tracked, 'tracking number')} added`] : []),
    `${countText(left, 'row')} left out`,
  ].join(', ');
  return (
    <>
      {isDone ? (
        <Alert tone="good">Done: {counts}.</Alert>
      ) : (
        <Alert tone="note">If you carry this out: {counts}. Nothing has been changed yet.</Alert>
      )}
      <Table
        caption="Rows"
        columns={[
          { label: 'Row', cell: ({ row }) => row },
          { label: 'Order', cell: ({ reference }) => <span className="inline-block min-w-24 wrap-anywhere">{reference || '–'}</span> },
          { label: isDone ? 'Result' : 'What would happen', cell: ({ effect, text }) => (effect === 'none' ? `Left out: ${text}` : text) },
        ]}
        rows={rows}
        keyOf={({ row }) => String(row)}
      />
    </>
  );
}

interface TrackingImportProps {
  open: boolean;
  onClose: () => void;
  onImported: () => void;
}

/** Imports a courier's CSV: shows what each row would do before it dispatches. */
export function TrackingImport({ open, onClose, onImported }: TrackingImportProps) {
  return (
    <Dialog open={open} onClose={onClose} label="Import tracking numbers" bare>
      <TrackingForm onClose={onClose} onImported={onImported} />
    </Dialog>
  );
}

function TrackingForm({ onClose, onImported }: Omit<TrackingImportProps, 'open'>) {
  const dispatch = useAppDispatch();
  const importFile = (form: { file: File; carrier: string }) =>
    dispatch(request('POST /api/office/dispatches/import', { body: formOf(form) }));
  const state = useImport(importFile, { onImported, halfwayText: PARTLY_DONE });
  const [carrier, setCarrier] = useState('');
  const carriers = useCarrierNames();
  const { file, report, check, pending } = state;
  const checkWith = (chosenFile: File | undefined, chosenCarrier: string) =>
    check(chosenFile && { file: chosenFile, carrier: chosenCarrier });
  return (
    <ImportFrame
      title="Import tracking numbers"
      intro={INTRO}
      action={report && report.dispatched > 0 ? `Dispatch ${ordersText(report.dispatched)}` : 'Carry out'}
      state={state}
      canCarryOut={report !== undefined && report.errors.length === 0 && report.dispatched + report.tracked > 0}
      onFile={(chosenFile) => checkWith(chosenFile, carrier)}
      onClose={onClose}
      fields={
        <Select
          label="Carrier for rows without one"
          none="Not named"
          options={['', ...carriers]}
          value={carrier}
          disabled={pending !== '' || report?.isDone === true}
          onChange={({ target }) => {
            setCarrier(target.value);
            checkWith(file, target.value);
          }}
        />
      }
    >
      {report && <Report report={report} />}
    </ImportFrame>
  );
}
