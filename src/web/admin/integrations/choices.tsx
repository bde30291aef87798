import { Checkbox } from '#web/ui/form/field.tsx';

interface ChoicesProps<V extends string> {
  /** The name of the field, to which an error leads. */
  id: string;
  legend: string;
  options: readonly (readonly [value: V, label: string])[];
  chosen: readonly V[];
  error: string | undefined;
  onChange: (chosen: V[]) => void;
}

/** Checkboxes for several of a few options. */
export function Choices<V extends string>({ id, legend, options, chosen, error, onChange }: ChoicesProps<V>) {
  return (
    <fieldset id={id} tabIndex={-1} aria-describedby={error && `${id}-error`}>
      <legend className="font-medium">{legend}</legend>
      <div className="grid sm:grid-cols-2">
        {options.map(([value, label]) => (
          <Checkbox
            key={value}
            label={label}
            checked={chosen.includes(value)}
            onChange={({ target }) => onChange(target.checked ? [...chosen, value] : chosen.filter((other) => other !== value))}
          />
        ))}
      </div>
      {error && (
        <p id={`${id}-error`} className="wrong">
          {error}
        </p>
      )}
    </fieldset>
  );
}
