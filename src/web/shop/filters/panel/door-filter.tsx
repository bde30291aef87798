import { convertBound } from '#contract/catalogue/length-bounds.ts';
import type { LengthUnit } from '#contract/catalogue/lengths.ts';
import { unitOf } from '#contract/catalogue/list-parameters.ts';
import { useStoredValue } from '#web/browser/stored-value.ts';
import { withParameters } from '#web/shop/filters/list-url.ts';
import { lengthOf } from '#web/shop/fit/lengths.ts';
import { keptMeasurements } from '#web/shop/fit/stored-measurements.ts';
import { Link } from '#web/ui/link.tsx';
import { FilterGroup } from './filter-group.tsx';
import { LengthInput } from './length-filter.tsx';

/** Stores the typed door for “Will it fit?” on the product's page, unless the measurements there are in another unit. */
function storeDoor(typed: string, unit: LengthUnit) {
  const before = keptMeasurements.read();
  if (before && (before.texts.unit ?? 'cm') !== unit) return;
  keptMeasurements.write({ ...before, texts: { ...before?.texts, unit, doorWidth: typed }, door: lengthOf(typed, unit) });
}

interface DoorFilterProps {
  search: URLSearchParams;
  onApply: (form: HTMLFormElement | null) => void;
}

/** Filters by the visitor's narrowest door, and offers a door that is stored already. */
export function DoorFilter({ search, onApply }: DoorFilterProps) {
  const unit = unitOf(search);
  const stored = useStoredValue(keptMeasurements)?.door;
  const width = stored && String(convertBound(stored / 10, 'cm', unit, 'max'));
  return (
    <FilterGroup label="Fits your door" chosen={search.has('door') ? 1 : 0}>
      <div className="grid gap-2">
        <LengthInput
          name="door"
          label="Width of your narrowest door"
          bound="max"
          search={search}
          onApply={onApply}
          onLength={(length) => storeDoor(length, unit)}
        />
        <p className="hint">With its legs off or in boxes, where a piece comes that way. For doors 198 cm (78 in) high or more.</p>
        {width && width !== search.get('door') && (
          <Link to={withParameters(search, { door: width })} preventScrollReset className="btn btn-secondary justify-self-start">
            Your door: {width} {unit}
          </Link>
        )}
      </div>
    </FilterGroup>
  );
}
