import { useState } from 'react';
import { isProblem, messageOf, Problem } from '#contract/base/problem.ts';
import { type ImportReport, importProducts } from '#contract/catalogue.ts';
import { useAppDispatch } from '#web/state/store.ts';
import { request } from '#web/state/thunk.ts';
import { useAction } from '#web/state/use-action.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Field } from '#web/ui/form/field.tsx';
import { Table } from '#web/ui/table.tsx';

interface ImportDialogProps {
  open: boolean;
  onClose: () => void;
  onImported: () => void;
}
/** A server that stops in the middle has written some batches. */
const GO_ON = 'Part of the file may have been imported. Choose it again to import the rest: nothing is imported twice.';

/** The chosen file, its check, and carrying out exactly what the check said. */
function useImport(onImported: () => void) {
  const dispatch = useAppDispatch();
  const { run, pending, error, reset } = useAction();
  const [file, setFile] = useState<File>();
  const [report, setReport] = useState<ImportReport>();
  const send = async (chosen: File, fingerprint?: string) => {
    const form = new FormData();
    form.append('file', chosen);
    if (fingerprint) form.append('fingerprint', fingerprint);
    try {
      const answer = await dispatch(request(importProducts, { body: form }));
      setReport(answer);
      if (answer.isDone) onImported();
    } catch (error) {
      setReport(undefined);
      const isPartly = fingerprint !== undefined && !(isProblem(error) && error.status < 500);
      throw isPartly ? new Problem(500, `${messageOf(error)} ${GO_ON}`) : error;
    }
  };
  const choose = (chosen: File | undefined) => {
    setFile(chosen);
    setReport(undefined);
    reset();
    if (chosen) run('check', () => send(chosen));
  };
  const carryOut = () => file && report && run('import', () => send(file, report.fingerprint));
  return { report, pending, error, choose, carryOut };
}

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
      {errors.length > 0 && (
        <Table
          caption="Errors"
          columns={[
            { label: 'Row', cell: ({ row }) => row },
            { label: 'Column', cell: ({ column }) => column || 'the whole row' },
            { label: 'Problem', cell: ({ message }) => message },
          ]}
          rows={errors}
          keyOf={({ row, column, message }) => `${row} ${column} ${message}`}
        />
      )}
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

/** Takes in a CSV of products: checks it first, shows what it would change or what is wrong with it, and writes only then. */
export function ImportDialog({ open, onClose, onImported }: ImportDialogProps) {
  return (
    <Dialog open={open} onClose={onClose} label="Import products" bare>
      <ImportForm onClose={onClose} onImported={onImported} />
    </Dialog>
  );
}

function ImportForm({ onClose, onImported }: Omit<ImportDialogProps, 'open'>) {
  const { report, pending, error, choose, carryOut } = useImport(onImported);
  const canImport = report && !report.isDone && report.errors.length === 0 && report.added + report.changed > 0;
  return (
    <div className="grid gap-4">
      <h2>Import products</h2>
      <p>
        A CSV with the columns of the export. A row with an id changes that product, a row without one is a new product, columns that are
        left out stay as they are. Leave the column _exported as it is: with it, what was sold or changed in the shop since the export
        stays. The file is checked first.
      </p>
      <Field
        label="CSV file"
        type="file"
        accept=".csv,text/csv"
        required
        disabled={pending !== ''}
        onChange={({ target }) => choose(target.files?.[0])}
      />
      {pending === 'check' && <p role="status">Checking the file …</p>}
      {error && <Alert>{error}</Alert>}
      {report && <Report report={report} />}
      <div className="flex flex-wrap justify-end gap-3">
        <Button look="secondary" onClick={onClose}>
          {report?.isDone ? 'Done' : 'Cancel'}
        </Button>
        {!report?.isDone && (
          <Button disabled={!canImport} pending={pending === 'import'} onClick={carryOut}>
            Import
          </Button>
        )}
      </div>
    </div>
  );
}
