import type { Delivery } from '#contract/delivery/delivery.ts';
import { windowText } from '#contract/delivery/delivery-window.ts';

/** The days in England and Wales, where most orders go, for pages that do not know the address. */
export const usualWindow = (windows: Delivery['options'][number]['windows']): string => windowText(windows['england-and-wales']);

/** The days of a method at the visitor's postcode, or in England and Wales while that is unknown. Undefined until they are loaded. */
export function windowOf(delivery: Delivery | null, method: string): string | undefined {
  const windows = delivery?.options.find(({ id }) => id === method)?.windows;
  return windows && windowText(windows[delivery?.nation ?? 'england-and-wales']);
}
