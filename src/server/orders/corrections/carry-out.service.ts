import { sql } from 'kysely';
import { dayText } from '#contract/delivery/delivery-window.ts';
import { methodOf } from '#contract/delivery/methods.ts';
import { entitle } from '#contract/market/owed.ts';
import { goodsSum } from '#contract/promotions/discount.ts';
import type { Services } from '#server/context/services.ts';
import { issueInvoice } from '#server/invoices/issue.service.ts';
import { orderCorrectedMail } from '#server/mail/order-mails.ts';
import { type LineOfPieces, readPieces } from '#server/orders/lines/parcels.service.ts';
import { cancelPieces, takeStock } from '#server/orders/lines/stock.service.ts';
import { offeredMethods, promiseAgain } from '#server/orders/promised-window.ts';
import { creditChange } from '#server/orders/refunds/owed.service.ts';
import { startRefund } from '#server/orders/refunds/refunds.service.ts';
import { pricesToRefund, priceToRefund, settlePieces } from '#server/orders/refunds/settled-pieces.service.ts';
import { countWriteOff } from '#server/orders/refunds/write-offs.service.ts';
import { change, type LockedOrder, tellCustomer } from '#server/orders/transitions.service.ts';
import type { Tx } from '#server/platform/database/connect.ts';
import { differenceOf, differenceText, type Plan, type Products, takenOffText } from './plan.ts';

type Needs = Pick<Services, 'config'>;

/** Takes a plan's pieces off an order, and returns them. */
async function takeOff(tx: Tx, order: LockedOrder, plan: Plan, actor: string): Promise<LineOfPieces[]> {
  const { off, offPrice, heldBack = 0, deliveryOff, isRestocked = true } = plan;
  const lines = await readPieces(tx, order.id);
  const pieces = lines.flatMap((line) => off.filter(({ position }) => position === line.position).map(({ qty }) => ({ ...line, qty })));
  await countWriteOff(tx, order, priceToRefund(pieces) - (offPrice + heldBack - deliveryOff));
  await settlePieces(tx, order.id, pieces);
  if (off.length > 0) await cancelPieces(tx, order.id, off, { actor, isRestocked });
  return pieces;
}

/** Adds lines to an order. Their stock is taken already. They get an invoice of their own, unless the order still awaits its invoice. */
async function addLines(tx: Tx, { config }: Needs, { id: orderId, awaitsInvoice }: LockedOrder, added: Plan['added']): Promise<void> {
  const { rows } = await sql<{ position: number; part: number }>`
    select max(position) + 1 as position, max(part) + 1 as part from order_items where order_id = ${orderId}`.execute(tx);
  const next = rows[0] ?? { position: 0, part: 1 };
  const part = awaitsInvoice ? 0 : next.part;
  const items = added.map((line, index) => ({ orderId, position: next.position + index, part, ...line }));
  await tx.insertInto('orderItems').values(items).execute();
  if (!awaitsInvoice) await issueInvoice(tx, config, orderId, part);
}

/** The new promise of an order that must wait for added pieces; nothing if it need not. */
function promiseAfter(
  { config }: Needs,
  order: LockedOrder,
  { ready }: Plan,
): Partial<ReturnType<typeof promiseAgain>> & { readyAt?: string } {
  if (!ready || (order.readyAt && Date.parse(ready) <= Date.parse(order.readyAt))) return {};
  const method = methodOf(offeredMethods(config, order), order.shippingMethod);
  return { readyAt: ready, ...promiseAgain(config, order, ready, method, order) };
}

/**
 * Makes a correction of a locked order, and returns it in words. With `products` it takes the added pieces from stock; without, they were taken when the
 * payment was asked for.
 */
export async function carryOut(
  tx: Tx,
  { config }: Needs,
  { order, plan, actor, products }: { order: LockedOrder; plan: Plan; actor: string; products?: Products },
): Promise<string> {
  const { added, offPrice, heldBack = 0, addedPrice, deliveryOff, takenOff, more } = plan;
  const difference = differenceOf(plan);
  const refund = order.paidAt ? Math.max(0, -difference) : 0;
  const { lostDay, ...promise } = promiseAfter({ config }, order, plan);
  const lost = lostDay && `The chosen day, ${dayText(lostDay)}, cannot be kept`;
  const words = [takenOff && `Taken off: ${takenOffText(plan)}`, more && `Added: ${more}`, differenceText(difference), lost];
  const detail = words.filter(Boolean).join('. ');
  const columns = {
    subTotalPrice: order.subTotalPrice + goodsSum(added),
    discount: order.discount + added.reduce((sum, { discount }) => sum + discount, 0),
    totalPrice: order.totalPrice + addedPrice,
    // On a paid order, removed pieces pay for added ones. The difference is refunded, or was paid just now.
    waivedPrice: order.waivedPrice + (order.paidAt ? Math.min(addedPrice, offPrice) : offPrice),
    deliveryOff: order.deliveryOff + deliveryOff,
    ...(order.paidAt && { entitledPrice: entitle(order, refund + heldBack).entitledPrice }),
    // Added lines may have a discount, and a paid card order with a discount needs this mark (migration 0740).
    knowsDiscount: true,
    ...promise,
  };
  const changed = await change(tx, order, 'correctPieces', columns, { actor, detail });
  const pieces = pricesToRefund(await takeOff(tx, order, plan, actor));
  if (products) await takeStock(tx, { config }, order.id, products, added);
  if (added.length > 0) await addLines(tx, { config }, changed, added);
  const reason = 'Order corrected';
  const wish = { amount: refund, pieces, reason, detail: takenOff, actor, isAnnounced: true };
  if (refund > 0) await startRefund(tx, { config }, changed, wish);
  // What pays for added pieces.
  await creditChange(tx, order.id, { reason, detail: takenOff || 'Delivery', waived: columns.waivedPrice - order.waivedPrice, pieces });
  const mailDetails = { takenOff, added: more, refund, byCard: order.providerPaymentId !== null, lostDay };
  await tellCustomer(tx, order.id, (mailOrder) => orderCorrectedMail(config, mailOrder, mailDetails));
  return detail;
}
