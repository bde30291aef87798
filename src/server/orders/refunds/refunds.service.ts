import type { Selectable } from 'kysely';
import { apportion } from '#contract/market/apportion.ts';
import { type Pence, pounds } from '#contract/market/money.ts';
import { byBankOf, claimOf, entitle, entitleLess, keep, owedOf } from '#contract/market/owed.ts';
import { worthOfNext } from '#contract/market/worth.ts';
import { type Order, PAYMENT_METHOD, type RefundBody, type SettleBody } from '#contract/orders/orders.ts';
import type { LinePieces } from '#contract/orders/pieces.schema.ts';
import { PAID_BACK_BY, type PaidBackBy } from '#contract/orders/reasons.ts';
import { Problem } from '#contract/platform/problem.ts';
import { recordChange } from '#server/context/audit.ts';
import { type ProvenAdmin, transactionOf } from '#server/context/context.ts';
import type { Services } from '#server/context/services.ts';
import { divideCredit, type ForRate, readUncredited } from '#server/invoices/issue.service.ts';
import { orderRefundedMail } from '#server/mail/order-mails.ts';
import { orderJobs } from '#server/orders/jobs.ts';
import { type LineOfPieces, mergePieces, piecesText, readPieces } from '#server/orders/lines/parcels.service.ts';
import { takeBackPieces } from '#server/orders/lines/returns.service.ts';
import { isStuck, readOrder } from '#server/orders/read.service.ts';
import { isRepeated, type KeyedRequest, keyedRequest } from '#server/orders/rules/idempotency.ts';
import { isAllowed, refusalOf } from '#server/orders/rules/states.ts';
import {
  change,
  changeByStaff,
  checkRevision,
  endCorrection,
  type LockedOrder,
  lockListed,
  type OrderEvent,
  recordEvent,
  tellCustomer,
} from '#server/orders/transitions.service.ts';
import type { Tx } from '#server/platform/database/connect.ts';
import type { DB } from '#server/platform/database/schema.ts';
import { newId } from '#server/platform/ids.ts';
import { enqueue } from '#server/platform/jobs/queue.ts';
import { creditChange, creditRefund, openPartOf, payForFailed, payForOwed, storeSums } from './owed.service.ts';
import { checkRefundable, refundable, refusalOfMore } from './refundable.ts';
import { payForPieces, pricesToRefund, priceToRefund, settlePieces } from './settled-pieces.service.ts';
import { countWriteOff, uncountedOf } from './write-offs.service.ts';

type Needs = Pick<Services, 'db' | 'config'>;

interface Wish {
  amount: number;
  /** The part of it that is for nothing that left the order. */
  goodwill?: number;
  /** The pieces that it is for, by their lines. */
  pieces: readonly { position: number; price: Pence }[];
  reason: string;
  detail: string;
  actor: string;
  /** Already paid back by hand. */
  isPaidBack?: boolean;
  paidBackBy?: PaidBackBy | undefined;
  /** Another mail says what goes back. */
  isAnnounced?: boolean;
  request?: KeyedRequest | undefined;
}

/** Whether the provider makes the refund. */
const isByCard = ({ paymentMethod, providerPaymentId }: LockedOrder) => paymentMethod === PAYMENT_METHOD.card && providerPaymentId !== null;

/** Requests a refund at the provider by a job, which retries. */
export const queueRefund = (tx: Tx, refundId: string): Promise<void> =>
  enqueue(tx, orderJobs.sendRefund, { refundId }, { key: `refund ${refundId}` });

/** The history's reason for a correction that a refund has ended. */
export const REFUNDED = 'Some of the order was refunded';

/**
 * Divides a refund among the card payments of an order, the first one first, whose `paymentId` is null: the order has it. An order has further payments if
 * corrections have cost more.
 */
async function sharesOf(tx: Tx, order: LockedOrder, amount: number): Promise<{ paymentId: string | null; amount: number }[]> {
  const further = await tx
    .selectFrom('orderPayments')
    .select(['paymentId', 'amount'])
    .where('orderId', '=', order.id)
    .orderBy('paidAt')
    .execute();
  if (further.length === 0) return [{ paymentId: null, amount }];
  const made = await tx
    .selectFrom('orderRefunds')
    .select(['paymentId', 'amount'])
    .where('orderId', '=', order.id)
    .where('status', '<>', 'failed')
    .execute();
  const disputes = await tx
    .selectFrom('orderDisputes')
    .select(['disputedPaymentId', 'amount'])
    .where('orderId', '=', order.id)
    .where('status', 'in', ['open', 'lost'])
    .execute();
  const firstAmount = further.reduce((sum, payment) => sum - payment.amount, order.totalPrice - order.waivedPrice);
  let left = amount;
  const shares = [{ paymentId: null, amount: firstAmount }, ...further].map(({ paymentId, amount: paid }, index) => {
    const gone = [
      ...made.filter((refund) => refund.paymentId === paymentId),
      ...disputes.filter(({ disputedPaymentId }) => disputedPaymentId === (paymentId ?? order.providerPaymentId)),
    ].reduce((sum, part) => sum + part.amount, 0);
    // The last takes the rest, even without room for it: the provider then refuses it, and a person pays it back by hand.
    const isLast = index === further.length;
    const share = isLast ? left : Math.min(left, Math.max(0, paid - gone));
    left -= share;
    return { paymentId, amount: share };
  });
  return shares.filter((share) => share.amount > 0);
}

/** Shares of a refund with the goodwill in each, and what each is for: what is for pieces that left (`own`, `forRates`) is in the first ones. */
function withParts<S extends { amount: Pence }>(
  shares: readonly S[],
  { own, forRates }: { own: Pence; forRates: readonly ForRate[] | undefined },
) {
  let left = forRates;
  return shares.map((share, index) => {
    const before = shares.slice(0, index).reduce((sum, one) => sum + one.amount, 0);
    const prices = left?.map(({ price }) => price) ?? [];
    const taken = apportion(
      Math.min(
        share.amount,
        prices.reduce((sum, price) => sum + price, 0),
      ),
      prices,
    );
    const here = left?.map((one, at) => ({ ...one, price: taken[at] ?? 0 }));
    left = left?.map((one, at) => ({ ...one, price: one.price - (taken[at] ?? 0) }));
    const goodwill = share.amount - Math.max(0, Math.min(share.amount, own - before));
    return { ...share, goodwill, forRates: here && JSON.stringify(here) };
  });
}

/** Starts a refund of a locked order: at the provider for a card payment, else by hand. Throws 409 for more than can be refunded. */
export async function startRefund(tx: Tx, services: Pick<Needs, 'config'>, order: LockedOrder, wish: Wish): Promise<LockedOrder> {
  const { amount, goodwill = 0, pieces, reason, detail, actor, isPaidBack = false, paidBackBy, isAnnounced = false, request } = wish;
  if (!isAllowed('refund', order.status)) throw new Problem(409, refusalOf('refund', order));
  const isByHand = !isByCard(order);
  const status = isByHand && isPaidBack ? 'done' : 'pending';
  const kind = status === 'done' ? 'refunded' : 'refund started';
  const byHand = status === 'done' && paidBackBy ? `Paid back ${PAID_BACK_BY[paidBackBy]}` : '';
  const changed = await reserve(tx, order, amount, {
    kind,
    actor,
    detail: [pounds(amount), reason, detail, byHand].filter(Boolean).join('. '),
  });
  const shares = isByHand ? [{ paymentId: null, amount }] : await sharesOf(tx, order, amount);
  const forRates = await divideCredit(tx, order.id, { amount, goodwill, pieces });
  const rows = withParts(shares, { own: amount - goodwill, forRates }).map((share, index) => ({
    id: newId(),
    orderId: order.id,
    ...share,
    reason,
    detail,
    actor,
    isByHand,
    paidBackBy: (status === 'done' && paidBackBy) || null,
    status,
    isAnnounced,
    // Only the first has the key, which is unique in an order.
    requestKey: index === 0 ? (request?.key ?? null) : null,
    requestHash: index === 0 ? (request?.payloadHash ?? null) : null,
  }));
  const stored = await tx.insertInto('orderRefunds').values(rows).returningAll().execute();
  if (!isByHand) for (const { id } of rows) await queueRefund(tx, id);
  if (status === 'done') {
    for (const row of stored) await creditRefund(tx, { ...row, doneAt: null });
    await tellRefunded(tx, services, order.id, { amount, byCard: false });
  }
  return changed;
}

/** Mails the customer about a refund that was made. One that another mail has announced is told only with its credit note. */
export const tellRefunded = (
  tx: Tx,
  { config }: Pick<Needs, 'config'>,
  orderId: string,
  { amount, byCard, isAnnounced = false }: { amount: number; byCard: boolean; isAnnounced?: boolean },
): Promise<void> => tellCustomer(tx, orderId, (order) => orderRefundedMail(config, order, amount, byCard), { needsDocuments: isAnnounced });

/** The pieces of a refund: those that come back now, those that had left the order, and those that stay with the customer. */
interface Chosen {
  back: LineOfPieces[];
  gone: LineOfPieces[];
  staying: LineOfPieces[];
}

/** Whether something is owed for pieces that left an order, now or once a bank gives it back. */
const isWaiting = (order: LockedOrder): boolean => claimOf(order) > order.lostPrice;

/** Checks pieces against what was not refunded yet, and restocks them if they are back. While something is owed, the first of a line are those that left. */
async function preparePieces(tx: Tx, who: ProvenAdmin, order: LockedOrder, wanted: LinePieces[], isRestocked: boolean): Promise<Chosen> {
  const items = await readPieces(tx, order.id);
  const chosen: Chosen = { back: [], gone: [], staying: [] };
  for (const { line, qty } of wanted) {
    const item = items.find(({ position }) => position === line);
    if (!item) throw new Problem(400, 'Choose lines of the order.');
    const { name, unrefunded, ordered, left } = item;
    const gone = isRestocked || !isWaiting(order) ? 0 : Math.min(qty, ordered - left);
    if (qty - gone > unrefunded)
      throw new Problem(
        409,
        unrefunded + gone > 0 ? `Only ${unrefunded + gone} of ${name} can still be refunded.` : `${name} has already been refunded.`,
      );
    if (gone > 0) chosen.gone.push({ ...item, qty: gone });
    if (qty > gone) (isRestocked ? chosen.back : chosen.staying).push({ ...item, qty: qty - gone });
  }
  if (isRestocked) await restock(tx, who, order, chosen.back);
  return chosen;
}

/** The price of pieces of lines that left, the last that did. */
const pricesOfGone = (gone: readonly LineOfPieces[]): { position: number; price: Pence }[] =>
  gone.map(({ ordered: qty, ...line }) => ({
    position: line.position,
    price: worthOfNext({ ...line, qty }, qty - line.left - line.qty, line.qty),
  }));

/** What the customer is still to have for pieces that left, also from a bank; of all pieces of an order that has none left, all of it. */
async function claimFor(tx: Tx, order: LockedOrder, gone: readonly LineOfPieces[]): Promise<Pence> {
  if (gone.length === 0) return 0;
  const price = pricesOfGone(gone).reduce((sum, one) => sum + one.price, 0);
  const chosen = gone.reduce((sum, { qty }) => sum + qty, 0);
  const all = (await readPieces(tx, order.id)).reduce((sum, { ordered }) => sum + ordered, 0);
  return chosen === all ? claimOf(order) : Math.min(price, claimOf(order));
}

/** Throws 409 for more than what an earlier refund has left of the pieces' price. */
function checkRest(pieces: readonly LineOfPieces[], amount: number): void {
  const rest = priceToRefund(pieces);
  const before = priceToRefund(pieces.map((line) => ({ ...line, partialRefund: 0 }))) - rest;
  if (before > 0 && amount > rest)
    throw new Problem(
      409,
      `${pounds(before)} was already refunded for these pieces, so ${pounds(rest)} of their price is left. To refund more, enter an amount without pieces.`,
    );
}

async function restock(tx: Tx, who: ProvenAdmin, order: LockedOrder, pieces: LineOfPieces[]): Promise<void> {
  if (order.dispatchedAt === null && order.deliveredAt === null)
    throw new Problem(409, 'These pieces have not left the shop. Cancel the lines instead.');
  for (const { qty, left, unsent, name } of pieces) {
    // Of a partly dispatched order, only pieces that have left can come back.
    const sent = order.status === 'partly_dispatched' ? left - unsent : left;
    if (qty > sent) throw new Problem(409, left > sent ? `${name} has not left the shop.` : `${name} is already back in stock.`);
  }
  await takeBackPieces(
    tx,
    order.id,
    pieces.map(({ qty: restocked, ...piece }) => ({ ...piece, restocked, spoiled: 0 })),
    who.name,
  );
}

/**
 * Refunds an amount, or pieces at their price, or pieces at an amount. A cash refund counts as paid back. Idempotent by key. Throws 404, and 409 for
 * more than can be refunded, and for an order that has changed since it was looked at.
 */
export async function refundOrder(
  services: Needs,
  who: ProvenAdmin,
  id: string,
  body: RefundBody,
  requestKey: string | undefined,
): Promise<Order> {
  const { amount, reason, isRestocked, paidBackBy } = body;
  const wanted = mergePieces(body.lines ?? []);
  if (!amount && wanted.length === 0) throw new Problem(400, CHOOSE, { amount: CHOOSE });
  const request = keyedRequest(requestKey, [who._id, amount ?? null, reason, wanted, isRestocked, paidBackBy ?? null]);
  return changeByStaff(services.db, who, id, undefined, async (tx, order) => {
    if (await isRepeated(tx, 'orderRefunds', id, request)) return;
    checkRevision(order, body.revision);
    checkRefundable(order, body.refundable);
    if (refundable(order) === 0) throw new Problem(409, refusalOfMore(order));
    const { back, gone, staying } = await preparePieces(tx, who, order, wanted, isRestocked);
    const [backPrice, stayingPrice] = [priceToRefund(back), priceToRefund(staying)];
    const writtenOff = back.length > 0 ? Math.min(uncountedOf(order), Math.max(0, backPrice - (amount ?? 0))) : 0;
    const entitled = entitle(order, backPrice - writtenOff);
    // What is due for pieces that are not with the customer.
    const claim = await claimFor(tx, order, gone);
    const due = entitled.refund + Math.min(claim, owedOf(order));
    const sum = amount || Math.min(due + stayingPrice, refundable(order));
    if (sum === 0 && !isRestocked) throw new Problem(409, refusalOfNothing(order, gone.length > 0));
    checkRest([...back, ...staying], sum - (gone.length > 0 ? Math.min(sum, due) : 0));
    await countWriteOff(tx, order, writtenOff);
    await settlePieces(tx, order.id, back);
    let goodwill = 0;
    // Staff have decided on the price of pieces that are not with the customer, so nothing more is owed for them.
    if (amount && amount < due && staying.length === 0) {
      const sums = back.length > 0 ? entitleLess(order, backPrice - writtenOff, amount) : keep(order, claim - amount);
      await storeSums(tx, id, sums);
      await checkCredited(tx, id);
    } else {
      const forStaying = Math.min(stayingPrice, Math.max(0, sum - due));
      const account = { ...order, entitledPrice: entitled.entitledPrice };
      goodwill = forStaying + (await payForOwed(tx, order, account, sum - forStaying));
      if (forStaying > 0) await payForPieces(tx, id, staying, forStaying);
    }
    const detail = piecesText([...back, ...gone, ...staying]);
    const pieces = [...pricesOfGone(gone), ...pricesToRefund([...back, ...staying])];
    const wish = { amount: sum, goodwill, pieces, reason, detail, actor: who.name, isPaidBack: true, paidBackBy, request };
    if (sum > 0) await startRefund(tx, services, order, wish);
    else await storeKey(tx, id, wish);
    if (sum > 0 && gone.length > 0) await payForFailed(tx, id, { detail, pieces: pricesOfGone(gone) });
    // What a bank has given back for the pieces has its credit note at once.
    await creditChange(tx, id, { reason, detail });
    const nothing = `nothing, since ${writtenOff > 0 ? 'the price was written off' : 'the bank has the money'}`;
    await recordChange(tx, who, 'order', id, `Refunded ${sum > 0 ? pounds(sum) : nothing}: ${reason}`);
  });
}

/** Throws 409 if credit notes say already that more goes back than the customer is entitled to now, such as those of a refund that the bank returned. */
async function checkCredited(tx: Tx, orderId: string): Promise<void> {
  if ((await readUncredited(tx, orderId)) < 0)
    throw new Problem(409, 'The credit note for these pieces is issued already, so all of their price goes back.');
}

/** Stores the key of a request that brought nothing, so that its repeat is the same answer. */
async function storeKey(tx: Tx, orderId: string, { reason, detail, actor, request }: Omit<Wish, 'amount' | 'pieces'>): Promise<void> {
  if (!request) return;
  const key = { requestKey: request.key, requestHash: request.payloadHash };
  const nothing = { id: newId(), orderId, amount: 0, reason, detail, actor, isByHand: false, status: 'done', ...key };
  await tx.insertInto('orderRefunds').values(nothing).execute();
}

const refusalOfNothing = (order: LockedOrder, hasLeft: boolean): string =>
  hasLeft
    ? `The bank holds ${pounds(byBankOf(order))} of this payment, so nothing can be refunded for these pieces now.`
    : 'Nothing was paid for these pieces: the discount made them free.';

const CHOOSE = 'Enter an amount, or choose pieces to refund.';

/** A refund, with its order locked. Throws 404. */
async function lockRefund(tx: Tx, id: string) {
  const find = () => tx.selectFrom('orderRefunds').selectAll().where('id', '=', id).executeTakeFirst();
  const found = await find();
  if (!found) throw new Problem(404, 'Refund not found');
  const order = await lockListed(tx, found.orderId);
  // Read again under the lock: another administrator or the provider may have changed it, or undone the receipt that it belonged to.
  const refund = await find();
  if (!refund) throw new Problem(404, 'Refund not found');
  return { order, refund };
}

/** Throws 409 if another sum of a failed refund can be paid now than staff have seen. */
function checkOpen(amount: Pence, seen: Pence | undefined): void {
  if (seen !== undefined && seen !== amount)
    throw new Problem(409, `${pounds(amount)} of this refund can be paid back now, since something has changed. Reload the page.`);
}

/**
 * Retries a refund that failed, or whose job has given up. Throws 404, and 409 for any other refund, for more than can be refunded, and if less or more of it can be
 * paid now than was seen (`openPrice`).
 */
export async function retryRefund(services: Needs, who: ProvenAdmin, id: string, openPrice?: Pence): Promise<Order> {
  const orderId = await transactionOf(services.db, who, async (tx) => {
    const { order, refund } = await lockRefund(tx, id);
    if (await queueStuckAgain(tx, who, order, refund)) return order.id;
    if (refund.status !== 'failed') throw new Problem(409, 'This refund has not failed.');
    const open = await openPartOf(tx, order, id);
    const { amount } = open;
    checkOpen(amount, openPrice);
    await reserve(tx, order, amount, { kind: 'refund tried again', actor: who.name, detail: pounds(amount) });
    // A bank may have taken its own payment meanwhile, and the order another one.
    const { doneAt } = refund;
    // One that was done before has its credit note.
    const forRates = doneAt === null ? await divideAgain(tx, refund, amount) : undefined;
    const [first, ...others] = withParts(await sharesOf(tx, order, amount), { own: amount - open.goodwill, forRates });
    // Its announcement was long ago, so the customer gets a mail once it is done.
    const retried = {
      ...first,
      status: 'pending',
      attempt: refund.attempt + 1,
      providerRefundId: null,
      failure: '',
      paidOtherwise: 0,
      isAnnounced: false,
    };
    await tx.updateTable('orderRefunds').set(retried).where('id', '=', id).execute();
    const { orderId, reason, detail, actor } = refund;
    const more = others.map((share) => ({
      id: newId(),
      orderId,
      ...share,
      reason,
      detail,
      actor,
      isByHand: false,
      status: 'pending',
      doneAt,
    }));
    if (more.length > 0) await tx.insertInto('orderRefunds').values(more).execute();
    await keepRest(tx, refund, open.goodwill);
    for (const one of [{ id }, ...more]) await queueRefund(tx, one.id);
    await recordChange(tx, who, 'order', order.id, `Tried the refund of ${pounds(amount)} again`);
    return order.id;
  });
  return readOrder(services.db, who, orderId);
}

/** What a failed refund is to be credited for now: a part of its pieces may have been paid otherwise. */
const divideAgain = (tx: Tx, { orderId, forRates }: Selectable<DB['orderRefunds']>, amount: Pence): Promise<ForRate[]> =>
  divideCredit(tx, orderId, { amount, forRates: (forRates as ForRate[] | null) ?? [] });

/**
 * Keeps the rest of failed goodwill that cannot be paid now as a failed refund: only its row says that it is owed. Anything else that is owed is in the order's
 * sums.
 */
async function keepRest(tx: Tx, refund: Selectable<DB['orderRefunds']>, paid: Pence): Promise<void> {
  const rest = refund.goodwill - paid;
  if (rest <= 0) return;
  const { orderId, paymentId, reason, detail, actor, failure, doneAt } = refund;
  const row = {
    id: newId(),
    orderId,
    paymentId,
    amount: rest,
    goodwill: rest,
    reason,
    detail,
    actor,
    isByHand: false,
    status: 'failed',
    failure,
    doneAt,
  };
  await tx.insertInto('orderRefunds').values(row).execute();
}

/** Queues again a refund whose job has given up, as the same attempt: the provider may have made it. Returns false for any other refund. */
async function queueStuckAgain(
  tx: Tx,
  who: ProvenAdmin,
  order: LockedOrder,
  { id, amount }: { id: string; amount: number },
): Promise<boolean> {
  const stuck = await tx.selectFrom('orderRefunds').select('id').where('id', '=', id).where(isStuck).executeTakeFirst();
  if (!stuck) return false;
  await queueRefund(tx, id);
  await recordEvent(tx, order.id, { kind: 'refund tried again', actor: who.name, detail: pounds(amount) });
  await recordChange(tx, who, 'order', order.id, `Tried the refund of ${pounds(amount)} again`);
  return true;
}

/**
 * Records that a cash refund, or one that failed at the provider, was paid back by hand. Throws 404, and 409 for any other, and if less or more of it can be paid
 * now than was seen.
 */
export async function settleRefund(services: Needs, who: ProvenAdmin, id: string, { paidBackBy, openPrice }: SettleBody): Promise<Order> {
  const orderId = await transactionOf(services.db, who, async (tx) => {
    const { order, refund } = await lockRefund(tx, id);
    const isOwed = refund.status === 'pending' && refund.isByHand;
    if (!isOwed && refund.status !== 'failed') throw new Problem(409, 'This refund is not waiting for you.');
    const open = isOwed ? refund : await openPartOf(tx, order, id);
    const { amount, goodwill } = open;
    if (!isOwed) checkOpen(amount, openPrice);
    const credited = isOwed || refund.doneAt !== null ? refund : { ...refund, forRates: await divideAgain(tx, refund, amount) };
    const event = { kind: 'refunded', actor: who.name, detail: `${pounds(amount)}, ${PAID_BACK_BY[paidBackBy]}` } as const;
    // A pending refund is already in the order's refunded sum, a failed one is not.
    await reserve(tx, order, amount, event, isOwed);
    const paid = { amount, goodwill, status: 'done', isByHand: true, paidBackBy, failure: '', paidOtherwise: 0 };
    await tx.updateTable('orderRefunds').set(paid).where('id', '=', id).execute();
    if (!isOwed) await keepRest(tx, refund, goodwill);
    await recordChange(tx, who, 'order', order.id, `Paid ${pounds(amount)} back ${PAID_BACK_BY[paidBackBy]}`);
    await creditRefund(tx, { ...credited, amount });
    await tellRefunded(tx, services, order.id, { amount, byCard: false });
    return order.id;
  });
  return readOrder(services.db, who, orderId);
}

/**
 * Adds to an order's refunded sum, which ends a correction that waits for its payment; not what is in that sum already (`isCounted`). Throws 409 for nothing, and
 * for more than can be refunded.
 */
async function reserve(tx: Tx, order: LockedOrder, amount: number, event: OrderEvent, isCounted = false): Promise<LockedOrder> {
  const added = isCounted ? 0 : amount;
  if (amount === 0)
    throw new Problem(409, 'Nothing of this refund can be paid now: it was paid in another way, or a bank holds the money.');
  if (added > refundable(order)) throw new Problem(409, refusalOfMore(order));
  const changed = await change(tx, order, 'refund', { refundedPrice: order.refundedPrice + added }, event);
  if (added > 0) await endCorrection(tx, order.id, { actor: event.actor, detail: REFUNDED });
  return changed;
}
