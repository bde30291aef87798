import { useId, useState } from 'react';
import type { Facets } from '#contract/catalogue/catalogue.ts';
import { LENGTH_BOUNDS } from '#contract/catalogue/filters.ts';
import { type Bound, convertBound, readBound } from '#contract/catalogue/length-bounds.ts';
import type { LengthUnit } from '#contract/catalogue/lengths.ts';
import { type ListParameter, unitOf } from '#contract/catalogue/list-parameters.ts';
import { LENGTH_FILTERS } from '#web/shop/filters/filters.ts';
import { Radio } from '#web/ui/form/radio.tsx';
import { useStateFrom } from '#web/ui/use-state-from.ts';
import { useTyped } from '#web/ui/use-typed.ts';
import { FilterGroup } from './filter-group.tsx';

const UNITS = [
  { unit: 'cm', label: 'cm' },
  { unit: 'in', label: 'inches' },
] as const;

/** The same lengths in another unit; empty ones count as missing. */
export function inUnit(search: URLSearchParams, unit: LengthUnit): Partial<Record<ListParameter, string>> {
  const from = unitOf(search);
  const convert = (name: ListParameter, bound: Bound) =>
    search.get(name) ? { [name]: String(convertBound(Number(search.get(name)), from, unit, bound)) } : {};
  const bounds = [...LENGTH_BOUNDS].map(([name, bound]) => convert(name, bound));
  return Object.assign({ unit: unit === 'in' ? 'in' : '' }, ...bounds) as Partial<Record<ListParameter, string>>;
}

interface LengthInputProps {
  name: ListParameter;
  label: string;
  bound: Bound;
  search: URLSearchParams;
  /** Called on leaving a changed field; Enter submits its form. */
  onApply: (form: HTMLFormElement | null) => void;
  /** Called with each valid length. */
  onLength?: (length: string) => void;
}

/** A length, such as one end of a range, applied by Enter and on leaving the field. */
export function LengthInput({ name, label, bound, search, onApply, onLength }: LengthInputProps) {
  const id = useId();
  const unit = unitOf(search);
  const value = search.get(name) ?? '';
  const { ref, text, onType, endTyping } = useTyped(value);
  const [isWrong, setIsWrong] = useState(false);
  const length = readBound(text, unit, bound)?.toString() ?? '';
  const validate = () => setIsWrong(text.trim() !== '' && length === '');
  return (
    <label className="text-sm" htmlFor={id}>
      {label} ({unit})
      <input
        ref={ref}
        id={id}
        name={name}
        className="input mt-1"
        inputMode="decimal"
        enterKeyHint="go"
        autoComplete="off"
        value={text}
        aria-invalid={isWrong || undefined}
        aria-describedby={isWrong ? `${id}-wrong` : undefined}
        onChange={({ target }) => {
          onType(target.value);
          setIsWrong(false);
        }}
        onKeyDown={({ key }) => {
          if (key !== 'Enter') return;
          endTyping();
          validate();
          if (length) onLength?.(length);
        }}
        onBlur={({ target }) => {
          validate();
          if (length === value) return;
          if (length) onLength?.(length);
          onApply(target.form);
        }}
      />
      {isWrong && (
        <span id={`${id}-wrong`} className="wrong block">
          Enter a length, such as {unit === 'cm' ? '120' : '47'}.
        </span>
      )}
    </label>
  );
}

/** The catalogue's smallest and largest length in the chosen unit. */
function extentText(extent: Facets['sizes']['width'] | undefined, unit: LengthUnit): string {
  if (!extent) return '';
  const [min, max] = unit === 'cm' ? [extent.min, extent.max] : [Math.floor(extent.min / 2.54), Math.ceil(extent.max / 2.54)];
  return `${min} to ${max} ${unit}`;
}

interface LengthFilterProps {
  search: URLSearchParams;
  facets: Facets | null;
  onApply: LengthInputProps['onApply'];
}

/** Width, depth and height; one size of a product must satisfy all. */
export function LengthFilterGroup({ search, facets, onApply }: LengthFilterProps) {
  const unit = unitOf(search);
  const inForce = LENGTH_FILTERS.flatMap(({ min, max }) => [min, max]).filter((name) => search.has(name));
  return (
    <FilterGroup label="Size" chosen={inForce.length}>
      <div className="grid gap-4">
        <UnitSwitch unit={unit} />
        {LENGTH_FILTERS.map(({ side, min, max, label }) => (
          <fieldset key={side}>
            <legend className="mb-1 text-sm">
              <span className="font-semibold">{label}</span> <span className="text-soft">{extentText(facets?.sizes[side], unit)}</span>
            </legend>
            <div className="grid grid-cols-2 gap-3">
              <LengthInput name={min} label="From" bound="min" search={search} onApply={onApply} />
              <LengthInput name={max} label="To" bound="max" search={search} onApply={onApply} />
            </div>
          </fieldset>
        ))}
      </div>
    </FilterGroup>
  );
}

function UnitSwitch({ unit }: { unit: LengthUnit }) {
  const [chosen, setChosen] = useStateFrom(unit);
  return (
    <fieldset aria-label="Unit" className="flex gap-5">
      {UNITS.map(({ unit: value, label }) => (
        <Radio
          key={value}
          name="unit"
          value={value}
          chosen={chosen}
          onChoose={setChosen}
          look="large"
          className="flex min-h-target items-center gap-2 text-sm lg:min-h-8"
        >
          {label}
        </Radio>
      ))}
    </fieldset>
  );
}
