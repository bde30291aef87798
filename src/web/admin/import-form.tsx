import { type ComponentType, type ReactNode, useState } from 'react';
import type { Call } from '#contract/api.ts';
import { isProblem, messageOf, Problem } from '#contract/platform/problem.ts';
import { useAppDispatch } from '#web/state/store.ts';
import { useAction } from '#web/state/use-action.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Field } from '#web/ui/form/field.tsx';
import { Table } from '#web/ui/table.tsx';

interface CheckedReport {
  isDone: boolean;
  fingerprint: string;
}

interface ChosenFile {
  file: File;
  fingerprint?: string;
}

export interface ImportProps {
  open: boolean;
  onClose: () => void;
  onImported: () => void;
}

export interface ExtraFieldProps {
  value: string;
  disabled: boolean;
  onChange: (value: string) => void;
}

interface ImportDialogProps<Report extends CheckedReport> extends ImportProps {
  title: string;
  intro: string;
  /** Ends the message of an import that failed halfway. */
  halfwayText: string;
  /** The request that sends the file, with the value of the extra field. */
  send: (form: ChosenFile, value: string) => (dispatch: unknown, state: unknown, extra: { call: Call }) => Promise<Report>;
  action: (report: Report | undefined) => string;
  canCarryOut: (report: Report) => boolean;
  /** A field that is sent with the file. */
  Extra?: ComponentType<ExtraFieldProps>;
  children: (report: Report) => ReactNode;
}

/** Imports a CSV: choosing a file checks it, and the button carries out exactly what the check reported. */
export const ImportDialog = <Report extends CheckedReport>({ open, ...form }: ImportDialogProps<Report>) => (
  <Dialog open={open} onClose={form.onClose} label={form.title} bare>
    <ImportForm {...form} />
  </Dialog>
);

function ImportForm<Report extends CheckedReport>({
  title,
  intro,
  halfwayText,
  send,
  action,
  canCarryOut,
  Extra,
  children,
  onClose,
  onImported,
}: Omit<ImportDialogProps<Report>, 'open'>) {
  const dispatch = useAppDispatch();
  const { run, pending, error, reset } = useAction();
  const [file, setFile] = useState<File>();
  const [value, setValue] = useState('');
  const [report, setReport] = useState<Report>();
  const sendFile = async (form: ChosenFile, fieldValue: string) => {
    try {
      const answer = await dispatch(send(form, fieldValue));
      setReport(() => answer);
      if (answer.isDone) onImported();
    } catch (error) {
      setReport(undefined);
      const wasRefused = isProblem(error) && error.status < 500;
      // An import that failed halfway may have written part of the file.
      const mayBePartial = form.fingerprint !== undefined && !wasRefused;
      throw mayBePartial ? new Problem(500, `${messageOf(error)} ${halfwayText}`) : error;
    }
  };
  const check = (chosen: File | undefined, fieldValue: string) => {
    setFile(chosen);
    setValue(fieldValue);
    setReport(undefined);
    reset();
    if (chosen) run('check', () => sendFile({ file: chosen }, fieldValue));
  };
  const carryOut = () => file && report && run('import', () => sendFile({ file, fingerprint: report.fingerprint }, value));
  return (
    <div className="grid gap-4">
      <h2>{title}</h2>
      <p>{intro}</p>
      {Extra && <Extra value={value} disabled={pending !== '' || report?.isDone === true} onChange={(changed) => check(file, changed)} />}
      <Field
        label="CSV file"
        type="file"
        accept=".csv,text/csv"
        required
        disabled={pending !== ''}
        onChange={({ target }) => check(target.files?.[0], value)}
      />
      {pending === 'check' && <p role="status">Checking the file …</p>}
      {error && <Alert>{error}</Alert>}
      {report && children(report)}
      <div className="flex flex-wrap justify-end gap-3">
        <Button look="secondary" onClick={onClose}>
          {report?.isDone ? 'Done' : 'Cancel'}
        </Button>
        {!report?.isDone && (
          <Button disabled={!report || !canCarryOut(report)} pending={pending === 'import'} onClick={carryOut}>
            {action(report)}
          </Button>
        )}
      </div>
    </div>
  );
}

interface RowErrorsProps {
  errors: readonly { row: number; column: string; message: string }[];
}

export const RowErrors = ({ errors }: RowErrorsProps) => (
  <Table
    caption="Errors"
    columns={[
      { label: 'Row', cell: ({ row }) => row },
      { label: 'Column', cell: ({ column }) => column || 'the whole row' },
      { label: 'Problem', cell: ({ message }) => message },
    ]}
    rows={[...errors]}
    keyOf={({ row, column, message }) => `${row} ${column} ${message}`}
  />
);
