import type { Delivery } from '#contract/delivery/delivery.ts';
import { windowText } from '#contract/delivery/delivery-window.ts';

/** For pages that do not know the address: most orders go there. */
export const usualWindow = (windows: Delivery['options'][number]['windows']): string => windowText(windows['england-and-wales']);

/** The days of a method, where the postcode is known there. Undefined until they are loaded. */
export function windowOf(delivery: Delivery | null, method: string): string | undefined {
  const windows = delivery?.options.find(({ id }) => id === method)?.windows;
  return windows && windowText(windows[delivery?.nation ?? 'england-and-wales']);
}
