import { convertBound } from '#contract/catalogue/length-bounds.ts';
import type { LengthUnit } from '#contract/catalogue/lengths.ts';
import { type ListParameter, unitOf } from '#contract/catalogue/list-parameters.ts';
import { useStoredValue } from '#web/browser/stored-value.ts';
import { withParameters } from '#web/shop/filters/list-url.ts';
import { SIDE_WORDS, SIDES, type Space } from '#web/shop/fit/dimensions.ts';
import { keptMeasurements } from '#web/shop/fit/stored-measurements.ts';
import { Link } from '#web/ui/link.tsx';

const PARAMETERS = { width: 'maxWidth', depth: 'maxDepth', height: 'maxHeight' } as const;

/** A space as maximum dimensions in the URL's unit; unmeasured sides are left out. */
function boundsOf(space: Space, unit: LengthUnit): Partial<Record<ListParameter, string>> {
  const inUnit = (millimetres: number) => String(convertBound(millimetres / 10, 'cm', unit, 'max'));
  return Object.fromEntries(SIDES.flatMap((side) => (space[side] ? [[PARAMETERS[side], inUnit(space[side])]] : [])));
}

/** Filters by the visitor's stored space. */
export function YourSpace({ search }: { search: URLSearchParams }) {
  const space = useStoredValue(keptMeasurements)?.space;
  if (!space) return null;
  const unit = unitOf(search);
  const bounds = boundsOf(space, unit);
  const isInForce = Object.entries(bounds).every(([name, value]) => search.get(name) === value);
  const noBounds = Object.fromEntries(Object.values(PARAMETERS).map((name) => [name, '']));
  const texts = SIDES.flatMap((side) => (space[side] ? [`${bounds[PARAMETERS[side]]} ${unit} ${SIDE_WORDS[side]}`] : []));
  return (
    <div className="grid gap-2">
      <p className="legend">Your space</p>
      <p className="text-sm text-soft">{texts.join(', ')}</p>
      <Link
        to={withParameters(search, isInForce ? noBounds : { ...noBounds, ...bounds })}
        preventScrollReset
        className="btn btn-secondary justify-self-start"
      >
        {isInForce ? 'Show all sizes' : 'Only what fits your space'}
      </Link>
    </div>
  );
}
