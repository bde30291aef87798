import { type Pence, pounds } from '#contract/market/money.ts';
import type { Correction, CorrectionBody } from '#contract/orders/orders.ts';
import { Problem } from '#contract/platform/problem.ts';
import { recordChange } from '#server/context/audit.ts';
import { type Admin, proven, transactionOf } from '#server/context/context.ts';
import type { Services } from '#server/context/services.ts';
import { checkStock } from '#server/orders/lines/pricing.ts';
import { takeStock } from '#server/orders/lines/stock.service.ts';
import { spendOverpayments } from '#server/orders/overpayments.service.ts';
import { readOrder } from '#server/orders/read.service.ts';
import { sumOverpaid } from '#server/orders/rules/asked.ts';
import { CARD_SUMS, isPayableByCard } from '#server/orders/rules/ceilings.service.ts';
import { isAllowed, refusalOf } from '#server/orders/rules/states.ts';
import { checkNoneOpen, checkRevision, type LockedOrder, lockListed } from '#server/orders/transitions.service.ts';
import type { Tx } from '#server/platform/database/connect.ts';
import { carryOut } from './carry-out.service.ts';
import { askForDifference } from './difference.service.ts';
import { differenceOf, differenceText, planOf } from './plan.ts';

type Needs = Pick<Services, 'db' | 'config'>;

/**
 * How the customer of a paid order pays a difference: by a link, or with what came in besides. Undefined if there is nothing to pay. Throws 409 if they cannot
 * pay it.
 */
async function paymentOf(tx: Tx, order: LockedOrder, difference: Pence): Promise<'link' | 'overpayments' | undefined> {
  if (!order.paidAt || difference <= 0) return undefined;
  const more = `This would cost ${pounds(difference)} more, and the order is paid.`;
  if (order.providerPaymentId === null) {
    const missing = difference - (await sumOverpaid(tx, order.id));
    if (missing <= 0) return 'overpayments';
    throw new Problem(409, `${more} Once the customer has paid ${pounds(missing)}, press “Record more money”, then change the order.`);
  }
  if (order.userId === null) throw new Problem(409, `${more} It cannot be collected: the customer’s account was deleted.`);
  if (!isPayableByCard(difference)) throw new Problem(409, `${more} By card we can ask for ${CARD_SUMS}.`);
  return 'link';
}

/**
 * Changes the pieces of an order that have not left (decision 138). Stock, invoices and sums follow, and the customer is told. A paid order that would cost more
 * changes once the customer has paid the difference: a card order by a link, any other with what staff have recorded as more money. Without an expected
 * difference it changes nothing, and only says what the change comes to.
 * Throws 404, 400, 403 for a refund without re-authentication, and 409 once it is too late, if the order has changed since it was looked at, if the
 * difference is not the expected one, for pieces that are not in stock, and for a difference that cannot be asked for.
 */
export async function correctOrder(services: Needs, who: Admin, id: string, body: CorrectionBody): Promise<Correction> {
  const isPreview = typeof body.expected !== 'number';
  const summary = await transactionOf(services.db, who, async (tx) => {
    const order = await lockListed(tx, id);
    if (!isAllowed('correctPieces', order.status)) throw new Problem(409, refusalOf('correctPieces', order));
    checkRevision(order, body.revision);
    await checkNoneOpen(tx, id);
    const { plan, locked, products } = await planOf(tx, services, order, body);
    const difference = differenceOf(plan);
    const payment = await paymentOf(tx, order, difference);
    const isToBePaid = payment === 'link';
    // Removed pieces stay the order's until the difference is paid.
    if (isToBePaid) checkStock(plan.added, locked);
    const summary = { difference, deliveryOff: plan.deliveryOff, isToBePaid, takenOff: plan.takenOff, added: plan.more };
    if (isPreview) return summary;
    if (body.expected !== difference) throw new Problem(409, `This now means: ${differenceText(difference)}. Please check again.`);
    if (order.paidAt && difference < 0) proven(who);
    if (isToBePaid) {
      await takeStock(tx, services, id, locked, plan.added);
      await askForDifference(tx, services, who, order, plan);
    } else {
      if (payment === 'overpayments') await spendOverpayments(tx, id, difference);
      const detail = await carryOut(tx, services, { order, plan, actor: who.name, products });
      await recordChange(tx, who, 'order', id, `Corrected the order. ${detail}`);
    }
    return summary;
  });
  return { ...summary, order: isPreview ? null : await readOrder(services.db, who, id) };
}
