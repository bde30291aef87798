import { deliveryWindow } from '#contract/delivery/dates.ts';
import { nationOf } from '#contract/delivery/nation.ts';
import type { ShippingOption } from '#contract/market/market.ts';
import type { Config } from '#server/platform/settings/config.ts';

interface Place {
  postalCode: string;
  country: string;
}

/** The promised delivery window of an order placed now, as columns. Both null past the last known bank holidays. */
export function windowOf(
  { cutOffHour }: Pick<Config, 'cutOffHour'>,
  option: ShippingOption,
  place: Place,
): { deliveryFrom: string | null; deliveryTo: string | null } {
  const window = deliveryWindow(new Date().toISOString(), option, nationOf(place), cutOffHour);
  return { deliveryFrom: window?.from ?? null, deliveryTo: window?.to ?? null };
}
