import { lineName } from '#contract/orders/orders.ts';
import { Checkbox } from '#web/ui/form/field.tsx';
import { Stepper } from '#web/ui/form/stepper.tsx';

/** A line of an order, and how many pieces can be chosen. */
export interface ChoosableLine {
  /** Its position in `orderItems`, also if only some of them can be chosen. */
  line: number;
  name: string;
  size: string | null;
  colourName: string | null;
  qty: number;
}

/** Chosen quantities by line. */
export type ChosenPieces = Readonly<Record<number, number>>;

export const allPieces = (lines: readonly ChoosableLine[]): ChosenPieces => Object.fromEntries(lines.map(({ line, qty }) => [line, qty]));

/** The chosen pieces as the API takes them. They may no longer be there: the server checks that. */
export const chosenOf = (pieces: ChosenPieces): { line: number; qty: number }[] =>
  Object.entries(pieces).flatMap(([line, qty]) => (qty > 0 ? [{ line: Number(line), qty }] : []));

interface PiecesChoiceProps {
  /** The form's name of the field. After a refusal the form focuses the element with this id, hence the `tabIndex`. */
  id: string;
  legend: string;
  lines: readonly ChoosableLine[];
  value: ChosenPieces;
  error?: string | undefined;
  onChange: (value: ChosenPieces) => void;
}

export function PiecesChoice({ id, legend, lines, value, error, onChange }: PiecesChoiceProps) {
  return (
    <fieldset id={id} tabIndex={-1} className="grid gap-3">
      <legend className="font-medium">{legend}</legend>
      {lines.map(({ line, qty, ...item }) => (
        <div key={line} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
          <span className="min-w-0 flex-1 basis-32 break-words">
            {lineName(item)} <span className="text-soft">(of {qty})</span>
          </span>
          <Stepper
            name={lineName(item)}
            value={value[line] ?? 0}
            min={0}
            max={qty}
            onChange={(chosen) => onChange({ ...value, [line]: chosen })}
          />
        </div>
      ))}
      {error && <p className="wrong">{error}</p>}
    </fieldset>
  );
}

/** Chooses whole lines, for customers who cancel. */
export function LinesChoice({ id, legend, lines, value, error, onChange }: PiecesChoiceProps) {
  const isChosen = (line: number) => (value[line] ?? 0) > 0;
  return (
    <fieldset id={id} tabIndex={-1}>
      <legend className="font-medium">{legend}</legend>
      {lines.map(({ line, qty, ...item }) => (
        <Checkbox
          key={line}
          label={`${qty} × ${lineName(item)}`}
          checked={isChosen(line)}
          onChange={() => onChange({ ...value, [line]: isChosen(line) ? 0 : qty })}
        />
      ))}
      {error && <p className="wrong">{error}</p>}
    </fieldset>
  );
}
