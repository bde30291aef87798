import { areaOf } from '#contract/delivery/areas.ts';
import { deliveryWindow, nextCutOff } from '#contract/delivery/dates.ts';
import type { Delivery } from '#contract/delivery/delivery.ts';
import { NATIONS } from '#contract/delivery/delivery-window.ts';
import { offersOf } from '#contract/delivery/methods.ts';
import { nationOf } from '#contract/delivery/nation.ts';
import { UNITED_KINGDOM } from '#contract/market/market.ts';
import type { Config } from '#server/platform/settings/config.ts';

/** When an order placed at `now` (ISO) would arrive, by method. Leaves out a method past the last known bank holidays. */
export function deliveryAt({ delivery }: Pick<Config, 'delivery'>, now: string, postalCode = ''): Delivery {
  const { methods, areas, calendar } = delivery;
  const place = { postalCode, country: UNITED_KINGDOM };
  const area = areaOf(areas, place) ?? null;
  const options = offersOf(methods, 0, area).flatMap((method) => {
    const windows = NATIONS.map((nation) => [nation, deliveryWindow(now, method, nation, calendar)] as const);
    if (windows.some(([, window]) => !window)) return [];
    return [{ id: method.id, windows: Object.fromEntries(windows) as Delivery['options'][number]['windows'] }];
  });
  const [until = ''] = methods.map(({ cutOffHour }) => nextCutOff(now, cutOffHour)).sort();
  const most = {
    surcharge: Math.max(0, ...areas.map(({ surcharge }) => surcharge)),
    extraDays: Math.max(0, ...areas.map(({ extraDays }) => extraDays)),
  };
  return { options, postcode: postalCode, nation: nationOf(place), area, most, until };
}
