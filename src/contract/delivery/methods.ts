import type { Pence } from '#contract/market/money.ts';
import type { Area } from './areas.ts';

/** A way to send an order: its price in pence, and the days that it takes once the order is ready. */
export interface DeliveryMethod {
  /** In orders, and in what the browser keeps; made from the label. */
  id: string;
  label: string;
  price: Pence;
  /** The subtotal from which it costs nothing; null where it always costs its price. */
  freeFrom: Pence | null;
  minDays: number;
  maxDays: number;
  unit: 'business_day' | 'day';
  /** The full hour of the shop's day until which an order counts from that day. */
  cutOffHour: number;
}

/** What every page needs to know of delivery. */
export interface ShopDelivery {
  /** The first is the usual one. */
  methods: DeliveryMethod[];
  /** The methods in a sentence, before anything is known of the order. */
  promise: string;
  /** It depends on the postcode. */
  variesByPlace: boolean;
}

/** What is different about delivery to a place. */
export type AreaTerms = Pick<Area, 'surcharge' | 'extraDays' | 'without' | 'refusal'>;

/** The methods by which an order is sent to an area, with their prices and days there; without an area, to the rest of the country. */
export function offersOf(methods: readonly DeliveryMethod[], subtotal: Pence, area?: AreaTerms | null): DeliveryMethod[] {
  if (area?.refusal) return [];
  const { surcharge = 0, extraDays = 0, without = [] } = area ?? {};
  return methods
    .filter(({ id }) => !without.includes(id))
    .map((method) => {
      const { price, freeFrom, minDays, maxDays } = method;
      const base = freeFrom !== null && subtotal >= freeFrom ? 0 : price;
      return { ...method, price: base + surcharge, freeFrom: null, minDays: minDays + extraDays, maxDays: maxDays + extraDays };
    });
}

/** The method with an id, or the usual one. */
export const methodOf = <M extends DeliveryMethod>(methods: readonly M[], id: string | null | undefined): M =>
  methods.find((method) => method.id === id) ?? (methods[0] as M);

/** `5-7 business days` */
export function daysText({ minDays, maxDays, unit }: DeliveryMethod): string {
  const days = minDays === maxDays ? `${minDays}` : `${minDays}-${maxDays}`;
  return `${days} ${unit === 'day' ? 'day' : 'business day'}${maxDays === 1 ? '' : 's'}`;
}
