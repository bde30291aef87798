import { type ReactNode, useState } from 'react';
import { isProblem, messageOf, Problem } from '#contract/platform/problem.ts';
import { useAction } from '#web/state/use-action.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/form/field.tsx';
import { Table } from '#web/ui/table.tsx';

interface CheckedReport {
  isDone: boolean;
  fingerprint: string;
}

interface ImportOptions {
  onImported: () => void;
  /** Ends the message of an import that failed halfway. */
  halfwayText: string;
}

/** Checks the chosen file, then carries out exactly what the check reported. `importFile` sends the file with the other fields. */
export function useImport<Report extends CheckedReport, Fields extends { file: File }>(
  importFile: (form: Fields & { fingerprint?: string }) => Promise<Report>,
  { onImported, halfwayText }: ImportOptions,
) {
  const { run, pending, error, reset } = useAction();
  const [chosen, setChosen] = useState<Fields>();
  const [report, setReport] = useState<Report>();
  const send = async (form: Fields & { fingerprint?: string }) => {
    try {
      const answer = await importFile(form);
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
  const check = (form: Fields | undefined) => {
    setChosen(form);
    setReport(undefined);
    reset();
    if (form) run('check', () => send(form));
  };
  const carryOut = () => chosen && report && run('import', () => send({ ...chosen, fingerprint: report.fingerprint }));
  return { file: chosen?.file, report, pending, error, check, carryOut };
}

interface ImportFrameProps {
  title: string;
  intro: string;
  action: string;
  state: { pending: string; error: string; report: CheckedReport | undefined; carryOut: () => void };
  canCarryOut: boolean;
  onFile: (file: File | undefined) => void;
  onClose: () => void;
  fields?: ReactNode;
  children: ReactNode;
}

/** A form that takes a CSV: choosing a file checks it, the button carries the import out. */
export function ImportFrame({ title, intro, action, state, canCarryOut, onFile, onClose, fields, children }: ImportFrameProps) {
  const { pending, error, report, carryOut } = state;
  return (
    <div className="grid gap-4">
      <h2>{title}</h2>
      <p>{intro}</p>
      {fields}
      <Field
        label="CSV file"
        type="file"
        accept=".csv,text/csv"
        required
        disabled={pending !== ''}
        onChange={({ target }) => onFile(target.files?.[0])}
      />
      {pending === 'check' && <p role="status">Checking the file …</p>}
      {error && <Alert>{error}</Alert>}
      {children}
      <div className="flex flex-wrap justify-end gap-3">
        <Button look="secondary" onClick={onClose}>
          {report?.isDone ? 'Done' : 'Cancel'}
        </Button>
        {!report?.isDone && (
          <Button disabled={!canCarryOut} pending={pending === 'import'} onClick={carryOut}>
            {action}
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
