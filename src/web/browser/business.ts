import type { Order } from '#contract/orders/orders.ts';
import { BUSINESS_KEY } from './browser-storage.ts';
import { storedValue } from './stored-value.ts';

type Business = NonNullable<Order['business']>;

const textIn = (value: unknown): string => (typeof value === 'string' ? value : '');

/** What a business typed for its invoices. The order number belongs to this cart only. */
export const business = storedValue<Business>(BUSINESS_KEY, (stored) => {
  const { company, vatNumber, orderNumber } = Object(stored);
  return { company: textIn(company), vatNumber: textIn(vatNumber), orderNumber: textIn(orderNumber) };
});

/** For the next order: undefined where nothing was typed. */
export function businessBuyer(): Business | undefined {
  const typed = business.read();
  return typed && Object.values(typed).some((text) => text.trim() !== '') ? typed : undefined;
}

/** After an order: the next one has another number. */
export function forgetOrderNumber(): void {
  const typed = businessBuyer();
  business.write(typed && { ...typed, orderNumber: '' });
}
