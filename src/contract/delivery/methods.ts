import type { Pence } from '#contract/market/money.ts';
import type { Area } from './areas.ts';
import type { Load } from './delivery-classes.ts';

/** A way to send an order: its price in pence, and the days that it takes once the order is ready. */
export interface DeliveryMethod {
  /** Made from the label; stored in orders and in the browser. */
  id: string;
  label: string;
  price: Pence;
  /** The subtotal from which it costs nothing; null where it always costs its price. */
  freeFrom: Pence | null;
  minDays: number;
  maxDays: number;
  unit: 'business_day' | 'day';
  /** Orders placed before this hour of the shop's day count as placed that day. */
  cutOffHour: number;
  /** How many days the customer can choose from; missing if none. */
  daysToChoose?: number;
  /** The heaviest load it takes; absent where it takes all. */
  upTo?: Load;
}

/** What every page needs to know of delivery. */
export interface ShopDelivery {
  /** The first is the default. */
  methods: DeliveryMethod[];
  /** The methods in a sentence, before anything is known of the order. */
  promise: string;
  /** Whether delivery differs by postcode. */
  variesByPlace: boolean;
}

/** What is different about delivery to a place. */
export type AreaTerms = Pick<Area, 'surcharge' | 'extraDays' | 'without' | 'refusal'>;

/**
 * The methods by which an order is sent to an area, with their prices and days there; without an area, to the rest of the
 * country. `freeFrom` is applied, hence null; free delivery still bears the area's surcharge.
 */
export function methodsFor(methods: readonly DeliveryMethod[], subtotal: Pence, area?: AreaTerms | null): DeliveryMethod[] {
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

/** The method with an id, or the default. */
export const methodOf = <M extends DeliveryMethod>(methods: readonly M[], id: string | null | undefined): M =>
  methods.find((method) => method.id === id) ?? (methods[0] as M);

/** `5-7 business days` */
export function daysText({ minDays, maxDays, unit }: DeliveryMethod): string {
  const days = minDays === maxDays ? `${minDays}` : `${minDays}-${maxDays}`;
  return `${days} ${unit === 'day' ? 'day' : 'business day'}${maxDays === 1 ? '' : 's'}`;
}

/** `Standard delivery` → `standard` */
export function methodIdOf(label: string): string {
  const words = label
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter(Boolean);
  return (words.filter((word) => word !== 'delivery').join('-') || words.join('-')).slice(0, 40);
}
