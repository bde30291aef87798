import { deliveryWindow, nextCutOff } from '#contract/delivery/dates.ts';
import type { Delivery } from '#contract/delivery/delivery.ts';
import { NATIONS } from '#contract/delivery/delivery-window.ts';
import type { Config } from '#server/platform/settings/config.ts';

/** When an order placed at `now` (ISO) would arrive, by method. Leaves out a method past the last known bank holidays. */
export function deliveryAt({ delivery: { methods, calendar } }: Pick<Config, 'delivery'>, now: string): Delivery {
  const options = methods.flatMap((method) => {
    const windows = NATIONS.map((nation) => [nation, deliveryWindow(now, method, nation, calendar)] as const);
    if (windows.some(([, window]) => !window)) return [];
    return [{ id: method.id, windows: Object.fromEntries(windows) as Delivery['options'][number]['windows'] }];
  });
  const [until = ''] = methods.map(({ cutOffHour }) => nextCutOff(now, cutOffHour)).sort();
  return { options, until };
}
