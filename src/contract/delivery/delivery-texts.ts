import { decimal, type Pence } from '#contract/market/money.ts';
import { inSentence } from './method-name.ts';
import { type DeliveryMethod, daysText } from './methods.ts';

const shortPounds = (pence: Pence): string => `£${decimal(pence).replace(/\.00$/, '')}`;

/** A method's name with what it carries: `Letter post for small pieces`. */
const nameOf = ({ upTo }: DeliveryMethod, name: string): string =>
  upTo === 'small' ? `${name} for small pieces` : upTo === 'parcel' ? `${name} for parcels and small pieces` : name;

/** `Free standard delivery from £500 (5-7 business days), £49 below. Express in 2-3 days, £99.` */
export function promiseOf(methods: readonly DeliveryMethod[]): string {
  const [first, ...others] = methods;
  if (first?.price === 0 && others.length === 0) return `Delivery included, in ${daysText(first)} all over the UK.`;
  const sentences = methods.map((method) => {
    const { label, price, freeFrom } = method;
    const name = nameOf(method, inSentence(label));
    if (price === 0) return `Free ${name} (${daysText(method)}).`;
    if (freeFrom !== null) return `Free ${name} from ${shortPounds(freeFrom)} (${daysText(method)}), ${shortPounds(price)} below.`;
    return `${nameOf(method, label.replace(/ delivery$/i, ''))} in ${daysText(method)}, ${shortPounds(price)}.`;
  });
  return sentences.join(' ');
}

/** The rows of the shipping policy's table: method, time and price. */
export function tariffOf(methods: readonly DeliveryMethod[]): [method: string, time: string, price: string][] {
  return methods.flatMap((method): [string, string, string][] => {
    const { label, price, freeFrom } = method;
    const name = nameOf(method, label.replace(/ delivery$/i, ''));
    const paid = price === 0 ? 'Free' : shortPounds(price);
    if (price === 0 || freeFrom === null) return [[name, daysText(method), paid]];
    return [
      [`${name}, orders of ${shortPounds(freeFrom)} or more`, daysText(method), 'Free'],
      [`${name}, orders below ${shortPounds(freeFrom)}`, daysText(method), paid],
    ];
  });
}
