import { deliveryWindow, nextCutOff } from '#contract/delivery/dates.ts';
import type { Delivery } from '#contract/delivery/delivery.ts';
import { NATIONS } from '#contract/delivery/delivery-window.ts';
import type { Config } from '#server/platform/settings/config.ts';

type Settings = Pick<Config, 'market' | 'cutOffHour'>;

/** What was last worked out with these settings, and when. Every page of a product asks for it, and it changes once a day. */
const latest = new WeakMap<Settings, { from: string; delivery: Delivery }>();

/** When an order placed at `now` (ISO) would arrive. A way to send it whose days cannot be told (no bank holidays are known then) is left out. */
export function deliveryAt(settings: Settings, now: string): Delivery {
  const known = latest.get(settings);
  if (known && known.from <= now && now < known.delivery.until) return known.delivery;
  const delivery = workOut(settings, now);
  latest.set(settings, { from: now, delivery });
  return delivery;
}

function workOut({ market, cutOffHour }: Settings, now: string): Delivery {
  const options = market.shippingOptions(0).flatMap((option) => {
    const windows = NATIONS.map((nation) => [nation, deliveryWindow(now, option, nation, cutOffHour)] as const);
    if (windows.some(([, window]) => !window)) return [];
    return [{ id: option.id, windows: Object.fromEntries(windows) as Delivery['options'][number]['windows'] }];
  });
  return { options, until: nextCutOff(now, cutOffHour) };
}
