import { decimal, type Pence } from '#contract/market/money.ts';

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
}

/** `Standard delivery` → `standard` */
export function methodIdOf(label: string): string {
  const words = label
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter(Boolean);
  return (words.filter((word) => word !== 'delivery').join('-') || words.join('-')).slice(0, 40);
}

/** The methods with the prices of an order. */
export const offersOf = (methods: readonly DeliveryMethod[], subtotal: Pence): DeliveryMethod[] =>
  methods.map((method) => {
    const { price, freeFrom } = method;
    return { ...method, price: freeFrom !== null && subtotal >= freeFrom ? 0 : price, freeFrom: null };
  });

/** The method with an id, or the usual one. */
export const methodOf = (methods: readonly DeliveryMethod[], id: string | null | undefined): DeliveryMethod =>
  methods.find((method) => method.id === id) ?? (methods[0] as DeliveryMethod);

/** `5-7 business days` */
export function daysText({ minDays, maxDays, unit }: DeliveryMethod): string {
  const days = minDays === maxDays ? `${minDays}` : `${minDays}-${maxDays}`;
  return `${days} ${unit === 'day' ? 'day' : 'business day'}${maxDays === 1 ? '' : 's'}`;
}

const shortPounds = (pence: Pence): string => `£${decimal(pence).replace(/\.00$/, '')}`;

/** `Free standard delivery from £500 (5-7 business days), £49 below. Express in 2-3 days, £99.` */
export function promiseOf(methods: readonly DeliveryMethod[]): string {
  const [first, ...others] = methods;
  if (first?.price === 0 && others.length === 0) return `Delivery included, in ${daysText(first)} all over the UK.`;
  const sentences = methods.map((method) => {
    const { label, price, freeFrom } = method;
    const name = label.charAt(0).toLowerCase() + label.slice(1);
    if (price === 0) return `Free ${name} (${daysText(method)}).`;
    if (freeFrom !== null) return `Free ${name} from ${shortPounds(freeFrom)} (${daysText(method)}), ${shortPounds(price)} below.`;
    return `${label.replace(/ delivery$/i, '')} in ${daysText(method)}, ${shortPounds(price)}.`;
  });
  return sentences.join(' ');
}

/** The rows of the shipping policy's table: method, time and price. */
export function tariffOf(methods: readonly DeliveryMethod[]): [method: string, time: string, price: string][] {
  return methods.flatMap((method): [string, string, string][] => {
    const { label, price, freeFrom } = method;
    const name = label.replace(/ delivery$/i, '');
    const paid = price === 0 ? 'Free' : shortPounds(price);
    if (price === 0 || freeFrom === null) return [[name, daysText(method), paid]];
    return [
      [`${name}, orders of ${shortPounds(freeFrom)} or more`, daysText(method), 'Free'],
      [`${name}, orders below ${shortPounds(freeFrom)}`, daysText(method), paid],
    ];
  });
}
