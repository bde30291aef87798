import { areaOf } from '#contract/delivery/areas.ts';
import { windowText } from '#contract/delivery/delivery-window.ts';
import { methodsFor } from '#contract/delivery/methods.ts';
import { tidyPostalCode } from '#contract/market/address-rules.ts';
import { pounds } from '#contract/market/money.ts';
import { shopDay } from '#contract/market/shop-time.ts';
import type { DeliveryDetailsBody, Order } from '#contract/orders/orders.ts';
import { Problem } from '#contract/platform/problem.ts';
import { recordChange } from '#server/context/audit.ts';
import type { Admin } from '#server/context/context.ts';
import type { Services } from '#server/context/services.ts';
import { deliveryChangedMail } from '#server/mail/order-mails.ts';
import { checkAddress } from '#server/orders/place.service.ts';
import { readAnyOrder } from '#server/orders/read.service.ts';
import { change, changeByStaff, tellCustomer } from '#server/orders/transitions.service.ts';

type Needs = Pick<Services, 'db' | 'config'>;
type Details = Omit<DeliveryDetailsBody, 'revision'>;
type Address = Details['shippingAddress'];

const addressText = ({ line1, line2, city, state, postalCode, country }: Address): string =>
  [line1, line2, city, state, postalCode, country].filter(Boolean).join(', ');

/** The changed details: their names in the customer's mail, and both values for the history. */
function differences(before: Details, after: Details): { what: string; from: string; to: string }[] {
  const daysText = ({ deliveryWindow }: Details) => (deliveryWindow ? windowText(deliveryWindow) : '');
  const all = [
    { what: 'the name', from: before.fullName, to: after.fullName },
    { what: 'the address', from: addressText(before.shippingAddress), to: addressText(after.shippingAddress) },
    { what: 'the phone number', from: before.phone, to: after.phone },
    { what: 'the days', from: daysText(before), to: daysText(after) },
  ];
  return all.filter(({ from, to }) => from !== to);
}

/** Throws 400 for new days that have passed. */
function checkDays({ deliveryWindow: days }: Details): void {
  const message = 'This day has passed.';
  if (days && days.to < shopDay(new Date().toISOString())) throw new Problem(400, message, { 'deliveryWindow.to': message });
}

/**
 * A note for the history of an order that moves to another area; empty within an area. The price of delivery stays. Throws 400
 * where nothing is delivered.
 */
function areaNote({ config: { delivery } }: Pick<Needs, 'config'>, before: Order, after: Address): string {
  const area = areaOf(delivery.areas, after);
  if (area === areaOf(delivery.areas, before.shippingAddress)) return '';
  if (area?.refusal) throw new Problem(400, area.refusal, { 'shippingAddress.postalCode': area.refusal });
  const method = methodsFor(delivery.methods, before.subTotalPrice, area).find(({ id }) => id === before.shippingMethod);
  if (!method) return `${before.shippingLabel} is not offered in this area`;
  const more = method.price - before.shippingPrice;
  return more > 0 ? `Delivery to this area costs ${pounds(more)} more, which was not charged` : '';
}

const listText = (words: string[]): string => new Intl.ListFormat('en-GB').format(words);

/**
 * Changes recipient, address, phone number and agreed days of an order until all of it has left, and mails the customer. Invoices keep the address that
 * they were issued with. Throws 404, 400 for an address that the shop does not deliver to, and 409 once it is too late or if the order has changed
 * since it was looked at.
 */
export function correctDelivery(services: Needs, who: Admin, id: string, body: DeliveryDetailsBody): Promise<Order> {
  const { db, config } = services;
  return changeByStaff(db, who, id, body.revision, async (tx, order) => {
    const before = await readAnyOrder(tx, id);
    const shippingAddress = { ...body.shippingAddress, postalCode: tidyPostalCode(body.shippingAddress) };
    const after = { ...body, shippingAddress, deliveryWindow: body.deliveryWindow ?? before.deliveryWindow };
    const changed = differences(before, after);
    if (changed.length === 0) return;
    checkAddress(config.market, after, before);
    if (changed.some(({ what }) => what === 'the days')) checkDays(after);
    const note = areaNote(services, before, shippingAddress);
    const { fullName, phone, deliveryWindow } = after;
    const days = {
      deliveryFrom: deliveryWindow?.from ?? null,
      deliveryTo: deliveryWindow?.to ?? null,
      // Days that staff have agreed are no longer the customer's choice.
      isDayChosen: before.isDayChosen && !changed.some(({ what }) => what === 'the days'),
    };
    const changes = changed.map(({ what, from, to }) => `${what.replace('the ', '')}: ${from || 'none'} → ${to || 'none'}`);
    const event = { actor: who.name, detail: [...changes, note].filter(Boolean).join('. ') };
    await change(tx, order, 'correctDelivery', { fullName, phone, ...shippingAddress, ...days }, event);
    const what = listText(changed.map((one) => one.what));
    await recordChange(tx, who, 'order', id, `Changed ${what} of the delivery`);
    await tellCustomer(tx, id, (mailOrder) => deliveryChangedMail(config, mailOrder, what));
  });
}
