import type { CourierReport } from '#contract/delivery/dispatch.ts';
import { countText, ordersText } from '#web/admin/count-text.ts';
import { type ExtraFieldProps, ImportDialog, type ImportProps, RowErrors } from '#web/admin/import-form.tsx';
import { formOf } from '#web/browser/form-of.ts';
import { request } from '#web/state/thunk.ts';
import { Alert } from '#web/ui/alert.tsx';
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

function CarrierField({ onChange, ...field }: ExtraFieldProps) {
  const options = ['', ...useCarrierNames()];
  return (
    <Select
      label="Carrier for rows without one"
      none="Not named"
      options={options}
      {...field}
      onChange={({ target }) => onChange(target.value)}
    />
  );
}

/** Imports a courier's CSV: shows what each row would do before it dispatches. */
export const TrackingImport = (props: ImportProps) => (
  <ImportDialog
    {...props}
    title="Import tracking numbers"
    intro={INTRO}
    halfwayText={PARTLY_DONE}
    send={(form, carrier) => request('POST /api/office/dispatches/import', { body: formOf({ ...form, carrier }) })}
    action={(report) => (report && report.dispatched > 0 ? `Dispatch ${ordersText(report.dispatched)}` : 'Carry out')}
    canCarryOut={({ errors, dispatched, tracked }) => errors.length === 0 && dispatched + tracked > 0}
    Extra={CarrierField}
  >
    {(report) => <Report report={report} />}
  </ImportDialog>
);
