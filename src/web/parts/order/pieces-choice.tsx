import { Checkbox } from '#web/ui/form/field.tsx';
import { Stepper } from '#web/ui/form/stepper.tsx';

/** A line of an order with its position, and how many pieces can be chosen. */
export interface ChoosableLine {
  line: number;
  name: string;
  size: string | null;
  colourName: string | null;
  qty: number;
}

const choiceName = ({ name, size, colourName }: Pick<ChoosableLine, 'name' | 'size' | 'colourName'>): string =>
  [name, size, colourName].filter(Boolean).join(', ');

/** Chosen quantities by line. */
export type ChosenPieces = Readonly<Record<number, number>>;

export const allPieces = (lines: readonly ChoosableLine[]): ChosenPieces => Object.fromEntries(lines.map(({ line, qty }) => [line, qty]));

/** The API's form of the chosen pieces. */
export const chosenOf = (pieces: ChosenPieces): { line: number; qty: number }[] =>
  Object.entries(pieces).flatMap(([line, qty]) => (qty > 0 ? [{ line: Number(line), qty }] : []));

interface PiecesChoiceProps {
  /** The form's name of the field. */
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
      {lines.map(({ line, qty, ...piece }) => (
        <div key={line} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
          <span className="min-w-0 flex-1 basis-32 break-words">
            {choiceName(piece)} <span className="text-soft">(of {qty})</span>
          </span>
          <Stepper
            name={choiceName(piece)}
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

/** Chooses whole lines. */
export function LinesChoice({ id, legend, lines, value, error, onChange }: PiecesChoiceProps) {
  const isChosen = (line: number) => (value[line] ?? 0) > 0;
  return (
    <fieldset id={id} tabIndex={-1}>
      <legend className="font-medium">{legend}</legend>
      {lines.map(({ line, qty, ...piece }) => (
        <Checkbox
          key={line}
          label={`${qty} × ${choiceName(piece)}`}
          checked={isChosen(line)}
          onChange={() => onChange({ ...value, [line]: isChosen(line) ? 0 : qty })}
        />
      ))}
      {error && <p className="wrong">{error}</p>}
    </fieldset>
  );
}
