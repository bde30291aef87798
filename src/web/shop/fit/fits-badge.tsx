import type { ProductCard } from '#contract/catalogue/catalogue.ts';
import { useKept } from '#web/browser/stored-value.ts';
import { spaceVerdict } from './dimensions.ts';
import { keptMeasurements } from './stored-measurements.ts';

/** Shown on a card if one of the product's sizes fits the visitor's stored space. */
export function FitsBadge({ dimensions }: Pick<ProductCard, 'dimensions'>) {
  const space = useKept(keptMeasurements)?.space;
  if (!space || !dimensions.some((outer) => spaceVerdict(outer, space) === 'fits')) return null;
  return <span className="rounded-soft bg-paper px-2 py-0.5 text-sm font-semibold text-good">Fits your space</span>;
}
