import type { Delivery } from '#contract/delivery/delivery.ts';
import { type Nation, windowText } from '#contract/delivery/delivery-window.ts';
import type { ShippingMethod } from '#contract/market/market.ts';

/** What a page says without knowing the address: most orders go there, and where the days of others differ, those are said as well. */
export const usualWindow = (windows: Delivery['options'][number]['windows']): string => windowText(windows['england-and-wales']);

/** When an order that is placed now and sent that way would arrive in a nation; undefined while it is not known. */
export function windowOf(delivery: Delivery | null, method: ShippingMethod, nation: Nation = 'england-and-wales'): string | undefined {
  const windows = delivery?.options.find(({ id }) => id === method)?.windows;
  return windows && windowText(windows[nation]);
}
