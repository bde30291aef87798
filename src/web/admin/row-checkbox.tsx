interface RowCheckboxProps {
  /** What the row shows, in words. */
  name: string;
  checked: boolean;
  onChange: () => void;
}

/** Selects a row of a list. */
export function RowCheckbox({ name, checked, onChange }: RowCheckboxProps) {
  return (
    <label className="inline-flex size-6 items-center justify-center">
      <input type="checkbox" className="size-5 accent-accent" aria-label={`Select ${name}`} checked={checked} onChange={onChange} />
    </label>
  );
}
