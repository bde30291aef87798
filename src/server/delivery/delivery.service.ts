import { deliveryWindow, nextCutOff } from '#contract/delivery/dates.ts';
import type { Delivery } from '#contract/delivery/delivery.ts';
import { NATIONS } from '#contract/delivery/delivery-window.ts';
import type { Config } from '#server/platform/settings/config.ts';

type Settings = Pick<Config, 'market' | 'cutOffHour'>;

/** Cached until the next cut-off: every product page needs it. */
const latest = new WeakMap<Settings, { from: string; delivery: Delivery }>();

/** When an order placed at `now` (ISO) would arrive, by shipping option. Leaves out an option past the last known bank holidays. */
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
