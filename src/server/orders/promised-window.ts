import { choosableDays, deliveryWindow } from '#contract/delivery/dates.ts';
import type { DeliveryOption } from '#contract/delivery/delivery-options.ts';
import { dayText } from '#contract/delivery/delivery-window.ts';
import { type DeliveryMethod, methodsFor } from '#contract/delivery/methods.ts';
import { nationOf } from '#contract/delivery/nation.ts';
import type { Pence } from '#contract/market/money.ts';
import { Problem } from '#contract/platform/problem.ts';
import type { Config } from '#server/platform/settings/config.ts';
import type { LockedOrder } from './transitions.service.ts';

/** A method as an order was offered it, with the surcharge in its price, which earlier versions have not stored. */
export type Offered = DeliveryMethod & { surcharge?: Pence };

/** The methods that an order was offered, with their prices. An order of an earlier version has not stored them, so it gets today's. */
export const offeredMethods = (
  { delivery }: Pick<Config, 'delivery'>,
  { deliveryOffer, subTotalPrice }: Pick<LockedOrder, 'deliveryOffer' | 'subTotalPrice'>,
): Offered[] => (deliveryOffer as Offered[] | null) ?? methodsFor(delivery.methods, subTotalPrice);

interface Place {
  postalCode: string;
  country: string;
}

/** When an order that is paid now can be dispatched (ISO): now, or at the time promised when it was placed. */
export const earliestDispatchOf = ({ readyAt }: Pick<LockedOrder, 'readyAt'>): string =>
  new Date(Math.max(Date.now(), readyAt ? Date.parse(readyAt) : 0)).toISOString();

/** The promise of an order, as columns. Both days are null while the shop is closed for too long. */
interface Promised {
  deliveryFrom: string | null;
  deliveryTo: string | null;
  isDayChosen: boolean;
}

const columnsOf = (window: { from: string; to: string } | undefined, isDayChosen: boolean): Promised => ({
  deliveryFrom: window?.from ?? null,
  deliveryTo: window?.to ?? null,
  isDayChosen,
});

/** The promise of a new order: the chosen day, or the window of its method. Throws 409 for a day that is not possible. */
export function promiseFor({ window, days }: Pick<DeliveryOption, 'window' | 'days'>, chosen: string | null): Promised {
  if (!chosen) return columnsOf(window, false);
  if (days.includes(chosen)) return columnsOf({ from: chosen, to: chosen }, true);
  const message = `We can no longer deliver on ${dayText(chosen)}. Please choose the day again.`;
  throw new Problem(409, message, { deliveryDay: message });
}

/**
 * The promise of an order that can be dispatched at `earliestDispatch` (ISO) and goes to a place. A chosen day is kept if it was possible there when it was
 * chosen, and still can be; if not, `lostDay` has it.
 */
export function promiseAgain(
  { delivery: { calendar } }: Pick<Config, 'delivery'>,
  order: Pick<LockedOrder, 'createdAt' | 'readyAt' | 'isDayChosen' | 'deliveryFrom'>,
  earliestDispatch: string,
  method: DeliveryMethod,
  place: Place,
): Promised & { lostDay?: string } {
  const nation = nationOf(place);
  const windowAt = (time: string) => deliveryWindow(time, method, nation, calendar);
  const window = windowAt(earliestDispatch);
  const chosen = order.isDayChosen ? order.deliveryFrom : null;
  if (!chosen) return columnsOf(window, false);
  const days = choosableDays(windowAt(order.readyAt ?? order.createdAt), method, nation, calendar);
  const isKept = days.includes(chosen) && window !== undefined && window.from <= chosen;
  return isKept ? columnsOf({ from: chosen, to: chosen }, true) : { ...columnsOf(window, false), lostDay: chosen };
}
