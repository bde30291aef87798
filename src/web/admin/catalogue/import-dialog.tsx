import type { ImportReport } from '#contract/catalogue/catalogue.ts';
import { Flaws, ImportFrame, useImport } from '#web/admin/import-form.tsx';
import { formOf } from '#web/browser/form-of.ts';
import { useAppDispatch } from '#web/state/store.ts';
import { request } from '#web/state/thunk.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Table } from '#web/ui/table.tsx';

interface ImportDialogProps {
  open: boolean;
  onClose: () => void;
  onImported: () => void;
}
const GO_ON = 'Part of the file may have been imported. Choose it again to import the rest: nothing is imported twice.';
const INTRO =
  'A CSV with the columns of the export. A row with an id changes that product, a row without one is a new product, columns that are left out stay as they are. Leave the column _exported as it is: with it, what was sold or changed in the shop since the export stays. The file is checked first.';

function Report({ report: { isDone, added, changed, unchanged, changes, errors } }: { report: ImportReport }) {
  const counts = `${added} new, ${changed} changed, ${unchanged} unchanged`;
  return (
    <div className="grid gap-4">
      {isDone && <Alert tone="good">Imported: {counts}.</Alert>}
      {errors.length > 0 && (
        <Alert>
          {isDone
            ? 'These rows were left out. Choose the file again to see what is left to import.'
            : 'The file has errors. Correct them, then choose it again.'}
        </Alert>
      )}
      {!isDone && errors.length === 0 && <Alert tone="note">This import would make: {counts}. Nothing has been changed yet.</Alert>}
      {errors.length > 0 && <Flaws errors={errors} />}
      {!isDone && errors.length === 0 && changes.length > 0 && (
        <Table
          caption="Changes"
          columns={[
            { label: 'Row', cell: ({ row }) => row },
            { label: 'Product', cell: ({ name }) => name },
            { label: 'Change', cell: ({ change }) => change },
          ]}
          rows={changes}
          keyOf={({ row }) => String(row)}
        />
      )}
    </div>
  );
}

/** Imports a CSV of products: shows changes and errors before it writes. */
export function ImportDialog({ open, onClose, onImported }: ImportDialogProps) {
  return (
    <Dialog open={open} onClose={onClose} label="Import products" bare>
      <ImportForm onClose={onClose} onImported={onImported} />
    </Dialog>
  );
}

function ImportForm({ onClose, onImported }: Omit<ImportDialogProps, 'open'>) {
  const dispatch = useAppDispatch();
  const importFile = (form: { file: File }) => dispatch(request('POST /api/products/import', { body: formOf(form) }));
  const state = useImport(importFile, { onImported, goOn: GO_ON });
  const { report, check } = state;
  const canCarryOut = report !== undefined && report.errors.length === 0 && report.added + report.changed > 0;
  return (
    <ImportFrame
      title="Import products"
      intro={INTRO}
      action="Import"
      state={state}
      canCarryOut={canCarryOut}
      onFile={(file) => check(file && { file })}
      onClose={onClose}
    >
      {report && <Report report={report} />}
    </ImportFrame>
  );
}
