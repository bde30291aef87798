import { areaOf } from '#contract/delivery/areas.ts';
import { choosableDays, deliveryWindow, firstProcessingDay, nextCutOff } from '#contract/delivery/dates.ts';
import type { Delivery } from '#contract/delivery/delivery.ts';
import { readyAt } from '#contract/delivery/lead-time.ts';
import { methodsFor } from '#contract/delivery/methods.ts';
import { NATIONS, nationOf } from '#contract/delivery/nation.ts';
import { UNITED_KINGDOM } from '#contract/market/market.ts';
import { MAX_LINES } from '#contract/platform/limits.ts';
import { isMadeOf } from '#server/catalogue/lock-order.ts';
import type { Services } from '#server/context/services.ts';
import { deliveryOfPieces } from '#server/orders/lines/delivery-load.service.ts';
import { isId } from '#server/platform/ids.ts';

/** The ids in a query, at most as many as an order may have lines. */
const idsOf = (text: string) => text.split(',').filter(isId).slice(0, MAX_LINES);

/** When an order placed at `now` (ISO) would arrive, by method. Leaves out a method while the shop is closed for too long. */
export async function deliveryAt(
  { config, db }: Pick<Services, 'config' | 'db'>,
  now: string,
  { postcode: postalCode = '', products = '' }: { postcode?: string | undefined; products?: string | undefined },
): Promise<Delivery> {
  const ids = idsOf(products);
  const pieces = ids.length > 0 ? await db.selectFrom('products').select(['leadWeeks', 'readyFrom']).where(isMadeOf(ids)).execute() : [];
  const ready = readyAt(now, pieces);
  const { delivery, load } = await deliveryOfPieces(db, config.delivery, ids);
  const { methods, areas, calendar } = delivery;
  const place = { postalCode, country: UNITED_KINGDOM };
  const area = areaOf(areas, place) ?? null;
  const nation = nationOf(place);
  const options = methodsFor(methods, 0, area).flatMap((method) => {
    const byNation = NATIONS.map((name) => [name, deliveryWindow(ready ?? now, method, name, calendar)] as const);
    if (byNation.some(([, window]) => !window)) return [];
    const windows = Object.fromEntries(byNation) as Delivery['options'][number]['windows'];
    return [{ id: method.id, windows, days: choosableDays(windows[nation], method, nation, calendar) }];
  });
  // The answer holds until the next cut-off of any method.
  const [until = ''] = methods.map(({ cutOffHour }) => nextCutOff(now, cutOffHour)).sort();
  const most = {
    surcharge: Math.max(0, ...areas.map(({ surcharge }) => surcharge)),
    extraDays: Math.max(0, ...areas.map(({ extraDays }) => extraDays)),
  };
  const [leaves = null] = ready ? methods.map(({ cutOffHour }) => firstProcessingDay(ready, cutOffHour, calendar)).sort() : [];
  return { options, postcode: postalCode, nation, area, most, products, load, leaves, until };
}
