import { type Area, areaOf, type Place } from './areas.ts';
import { choosableDays, deliveryWindow } from './dates.ts';
import type { DeliveryWindow } from './delivery.ts';
import type { DeliverySettings } from './delivery-settings.ts';
import { type DeliveryMethod, methodsFor } from './methods.ts';
import { nationOf } from './nation.ts';

/** A delivery method with its days for one order. */
export interface DeliveryOption extends DeliveryMethod {
  /** When the order arrives by default; undefined while the shop is closed for too long. */
  window: DeliveryWindow | undefined;
  /** The days that the customer can choose instead. */
  days: string[];
}

/** The delivery options for an order placed at `now` (ISO). Empty where the shop does not deliver; `area.refusal` says why. */
export function deliveryOptionsFor(
  { methods, areas, calendar }: DeliverySettings,
  { now, place, subtotal }: { now: string; place: Place; subtotal: number },
): { area: Area | undefined; options: DeliveryOption[] } {
  const area = areaOf(areas, place);
  const nation = nationOf(place);
  const options = methodsFor(methods, subtotal, area).map((method) => {
    const window = deliveryWindow(now, method, nation, calendar);
    return { ...method, window, days: choosableDays(window, method, nation, calendar) };
  });
  return { area, options };
}
