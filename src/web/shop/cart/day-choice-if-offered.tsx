import { useContext } from 'react';
import type { Delivery } from '#contract/delivery/delivery.ts';
import { hasDays } from '#web/browser/delivery-day.ts';
import { lazyPart } from '#web/parts/lazy-part.tsx';
import { DeliveryContext } from '#web/state/store.ts';

const DayChoice = lazyPart(async () => (await import('./day-choice.tsx')).DayChoice, { fallback: <div className="min-h-20" /> });

/** The choice of a day, loaded only if the shop offers days. */
export function DayChoiceIfOffered({ delivery }: { delivery: Delivery | null }) {
  const { methods } = useContext(DeliveryContext);
  return hasDays(methods) && <DayChoice delivery={delivery} />;
}
