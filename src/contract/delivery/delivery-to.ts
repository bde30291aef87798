import { type Area, areaOf, type Place } from './areas.ts';
import { daysOf, deliveryWindow } from './dates.ts';
import type { DeliveryWindow } from './delivery.ts';
import type { DeliverySettings } from './delivery-settings.ts';
import { type DeliveryMethod, methodsFor } from './methods.ts';
import { nationOf } from './nation.ts';

export interface Offer extends DeliveryMethod {
  /** Undefined while the shop is closed for too long. */
  window: DeliveryWindow | undefined;
  /** The days that can be chosen in its place. */
  days: string[];
}

/** Prices and days of an order placed at `now` (ISO) that goes to a place: none where the shop does not deliver, which `area.refusal` says why. */
export function deliveryTo(
  { methods, areas, calendar }: DeliverySettings,
  { now, place, subtotal }: { now: string; place: Place; subtotal: number },
): { area: Area | undefined; offers: Offer[] } {
  const area = areaOf(areas, place);
  const nation = nationOf(place);
  const offers = methodsFor(methods, subtotal, area).map((offer) => {
    const window = deliveryWindow(now, offer, nation, calendar);
    return { ...offer, window, days: daysOf(window, offer, nation, calendar) };
  });
  return { area, offers };
}
