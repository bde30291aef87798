import type { Delivery } from '#contract/delivery/delivery.ts';
import { type Nation, windowText } from '#contract/delivery/delivery-window.ts';

/** For pages that do not know the address: most orders go there. */
export const usualWindow = (windows: Delivery['options'][number]['windows']): string => windowText(windows['england-and-wales']);

/** Undefined until it is loaded. */
export function windowOf(delivery: Delivery | null, method: string, nation: Nation = 'england-and-wales'): string | undefined {
  const windows = delivery?.options.find(({ id }) => id === method)?.windows;
  return windows && windowText(windows[nation]);
}
