import type { Pence } from '#contract/market/money.ts';
import { type AreaTerms, type DeliveryMethod, methodsFor } from './methods.ts';

/** The amount that is missing until delivery to an area is free by one of the methods. Undefined if one is free already, or none can be. */
export function missingToFree(methods: readonly DeliveryMethod[], subtotal: Pence, area?: AreaTerms | null): Pence | undefined {
  if (subtotal === 0 || area?.surcharge || methodsFor(methods, subtotal, area).some(({ price }) => price === 0)) return undefined;
  const from = methods.flatMap(({ id, freeFrom }) => (freeFrom === null || area?.refusal || area?.without.includes(id) ? [] : freeFrom));
  return from.length > 0 ? Math.min(...from) - subtotal : undefined;
}
