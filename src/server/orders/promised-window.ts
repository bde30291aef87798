import { deliveryWindow } from '#contract/delivery/dates.ts';
import { type DeliveryMethod, methodsFor } from '#contract/delivery/methods.ts';
import { nationOf } from '#contract/delivery/nation.ts';
import type { Config } from '#server/platform/settings/config.ts';
import type { LockedOrder } from './transitions.service.ts';

/** The methods that an order was offered, with their prices; those of today for an order from before they were kept. */
export const offerOf = (
  { delivery }: Pick<Config, 'delivery'>,
  { deliveryOffer, subTotalPrice }: Pick<LockedOrder, 'deliveryOffer' | 'subTotalPrice'>,
): DeliveryMethod[] => (deliveryOffer as DeliveryMethod[] | null) ?? methodsFor(delivery.methods, subTotalPrice);

interface Place {
  postalCode: string;
  country: string;
}

/** When an order that is paid now can be dispatched (ISO): now, or at the time promised when it was placed. */
export const beginOf = ({ readyAt }: Pick<LockedOrder, 'readyAt'>): string =>
  new Date(Math.max(Date.now(), readyAt ? Date.parse(readyAt) : 0)).toISOString();

/** The promised delivery window of an order that can be dispatched at `begins` (ISO), as columns. Both null past the last known bank holidays. */
export function windowOf(
  { delivery }: Pick<Config, 'delivery'>,
  begins: string,
  method: DeliveryMethod,
  place: Place,
): { deliveryFrom: string | null; deliveryTo: string | null } {
  const window = deliveryWindow(begins, method, nationOf(place), delivery.calendar);
  return { deliveryFrom: window?.from ?? null, deliveryTo: window?.to ?? null };
}
