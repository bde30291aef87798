import type { ProductCard } from '#contract/catalogue/catalogue.ts';
import { useStoredValue } from '#web/browser/stored-value.ts';
import { spaceVerdict } from './dimensions.ts';
import { isLarge } from './smallest-door.ts';
import { keptMeasurements } from './stored-measurements.ts';

/** Shown on a card if one of the product's sizes fits the visitor's stored space, goes through the stored door, or both. */
export function FitsBadge({ dimensions }: Pick<ProductCard, 'dimensions'>) {
  const { space, door } = useStoredValue(keptMeasurements) ?? {};
  const asked = { space, door: isLarge(dimensions) ? door : undefined };
  const fits = dimensions.some(
    (outer) =>
      (!asked.space || spaceVerdict(outer, asked.space) === 'fits') && (!asked.door || (outer.door !== null && outer.door <= asked.door)),
  );
  const places = [asked.door && 'door', asked.space && 'space'].filter(Boolean).join(' and ');
  if (!places || !fits) return null;
  return <span className="rounded-soft bg-paper px-2 py-0.5 text-sm font-semibold text-good">Fits your {places}</span>;
}
