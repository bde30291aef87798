import type { DeliveryMethod } from '#contract/delivery/methods.ts';
import { DELIVERY_DAY_KEY } from './browser-storage.ts';
import { storedValue } from './stored-value.ts';

/** The delivery day chosen for this cart, `YYYY-MM-DD`. The server checks it. */
export const deliveryDay = storedValue(DELIVERY_DAY_KEY, (stored) => (typeof stored === 'string' ? stored : undefined));

/** Whether customers can choose a day. */
export const hasDays = (methods: readonly DeliveryMethod[]): boolean => methods.some(({ daysToChoose }) => daysToChoose);

/** The chosen day; undefined once no method of the shop offers days. */
export const dayFor = (methods: readonly DeliveryMethod[]): string | undefined => (hasDays(methods) ? deliveryDay.read() : undefined);
