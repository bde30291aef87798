import type { Delivery } from '#contract/delivery/delivery.ts';
import { dayText, windowText } from '#contract/delivery/delivery-window.ts';

/** For pages that do not know the address: most orders go there. */
export const usualWindow = (windows: Delivery['options'][number]['windows']): string => windowText(windows['england-and-wales']);

/** The days of a method, where the postcode is known there; of them the chosen one, where it can be. Undefined until they are loaded. */
export function windowOf(delivery: Delivery | null, method: string, day = ''): string | undefined {
  const option = delivery?.options.find(({ id }) => id === method);
  if (option?.days.includes(day)) return dayText(day);
  return option && windowText(option.windows[delivery?.nation ?? 'england-and-wales']);
}
