import { grouped } from '#contract/market/money.ts';
import type { CountReport } from '#contract/stock/stock.ts';
import { ImportDialog, type ImportProps, RowErrors } from '#web/admin/import-form.tsx';
import { formOf } from '#web/browser/form-of.ts';
import { request } from '#web/state/thunk.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Table } from '#web/ui/table.tsx';
import { signed } from './stock-history.tsx';

const PARTLY_DONE = 'Part of the sheet may have been entered. Choose it again for the rest: nothing is counted twice.';
const INTRO =
  'The count sheet with its column “Counted” filled in. Rows left empty stay as they are. Differences change the stock; anything sold since the download is taken into account. The file is checked first.';

function Report({ report: { isDone, same, changed, differences, errors, errorCount } }: { report: CountReport }) {
  const counts = `${same} as expected, ${changed} different`;
  return (
    <div className="grid gap-4">
      {isDone && <Alert tone="good">Entered: {counts}.</Alert>}
      {errors.length > 0 && (
        <Alert>{isDone ? 'These rows were left out.' : 'The file has errors. Correct them, then choose it again.'}</Alert>
      )}
      {!isDone && errors.length === 0 && <Alert tone="note">Counted: {counts}. Nothing has been changed yet.</Alert>}
      {errors.length > 0 && <RowErrors errors={errors} />}
      {errorCount > errors.length && (
        <p>
          These are the first {errors.length} of {grouped(errorCount)} errors.
        </p>
      )}
      {errors.length === 0 && differences.length > 0 && (
        <Table
          caption="Differences"
          columns={[
            { label: 'Product', cell: ({ name, size }) => (size ? `${name}, ${size}` : name) },
            { label: 'Should be there', cell: ({ expected }) => expected },
            { label: 'Counted', cell: ({ counted }) => counted },
            { label: 'Change', cell: ({ change }) => signed(change) },
            { label: 'Reason', cell: ({ reason }) => reason },
          ]}
          rows={differences}
          keyOf={({ row }) => String(row)}
        />
      )}
    </div>
  );
}

/** Enters a filled count sheet: shows its differences before it changes the stock. */
export const CountImport = (props: ImportProps) => (
  <ImportDialog
    {...props}
    title="Import a count"
    intro={INTRO}
    halfwayText={PARTLY_DONE}
    send={(form) => request('POST /api/stock/counts/import', { body: formOf(form) })}
    action={() => 'Enter this count'}
    canCarryOut={({ errors, same, changed }) => errors.length === 0 && same + changed > 0}
  >
    {(report) => <Report report={report} />}
  </ImportDialog>
);
