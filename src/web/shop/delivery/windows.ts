import type { Delivery } from '#contract/delivery/delivery.ts';
import { windowText } from '#contract/delivery/window-text.ts';

/** What a page says without knowing the address: most orders go there, and where the days of others differ, those are said as well. */
export const usualWindow = (windows: Delivery['options'][number]['windows']): string => windowText(windows['england-and-wales']);
