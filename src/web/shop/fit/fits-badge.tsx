import type { ProductCard } from '#contract/catalogue.ts';
import { useKept } from '#web/browser/kept.ts';
import { keptMeasurements } from './kept-space.ts';
import { spaceVerdict } from './space.ts';

/** On a card, once the visitor's space is known: that a size of the product fits it. */
export function FitsBadge({ dimensions }: Pick<ProductCard, 'dimensions'>) {
  const space = useKept(keptMeasurements)?.space;
  if (!space || !dimensions.some((outer) => spaceVerdict(outer, space) === 'fits')) return null;
  return <span className="rounded-soft bg-paper px-2 py-0.5 text-sm font-semibold text-good">Fits your space</span>;
}
