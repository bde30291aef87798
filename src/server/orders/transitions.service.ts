import { type Selectable, sql, type UpdateObject } from 'kysely';
import { type InvoiceKind, numberText } from '#contract/invoices/vat.ts';
import type { EventKind } from '#contract/orders/events.ts';
import type { Order } from '#contract/orders/orders.ts';
import type { OrderStatus } from '#contract/orders/states.ts';
import { type StepName, stepOf } from '#contract/orders/steps.ts';
import { Problem } from '#contract/platform/problem.ts';
import { type Admin, transactionOf } from '#server/context/context.ts';
import type { Mail, MailDocument } from '#server/gateways/mail.ts';
import { mailJobs } from '#server/mail/jobs.ts';
import type { MailConfig } from '#server/mail/layout.ts';
import { orderConfirmation } from '#server/mail/order-mails.ts';
import { orderJobs } from '#server/orders/jobs.ts';
import { isOneOf } from '#server/platform/database/arrays.ts';
import type { Db, Tx } from '#server/platform/database/connect.ts';
import type { DB } from '#server/platform/database/schema.ts';
import { isId } from '#server/platform/ids.ts';
import { enqueue } from '#server/platform/jobs/queue.ts';
import { newAddressLink } from '#server/sessions/address-links.service.ts';
import { readOrder, readOrderForMail } from './read.service.ts';
import { heldByBank, isAllowed, isDelivered, isSeen, isSold, refusalOf, statesAfter } from './rules/states.ts';

declare const lock: unique symbol;

const COLUMNS = [
  'id',
  'reference',
  'userId',
  'orderState as status',
  'paymentMethod',
  'paidAt',
  'dispatchedAt',
  'deliveredAt',
  'providerSessionId',
  'orderPaymentId',
  'providerPaymentId',
  'subTotalPrice',
  'discount',
  'totalPrice',
  'waivedPrice',
  'refundedPrice',
  'disputedPrice',
  'lostPrice',
  'goodwillPrice',
  'entitledPrice',
  'keptPrice',
  'writtenOff',
  'writeOffCounted',
  'receivedBy',
  'toCollect',
  'collected',
  'dueBack',
  'awaitsApproval',
  'shippingMethod',
  'shippingPrice',
  'deliveryOff',
  'deliveryOffer',
  'readyAt',
  'postalCode',
  'country',
  'createdAt',
  'deliveryFrom',
  'isDayChosen',
  'revision',
  'awaitsInvoice',
] as const;
type Column = Exclude<(typeof COLUMNS)[number], 'orderState as status'>;

/** An order that nobody else changes until the transaction ends; only `lockOrder` makes one. */
export type LockedOrder = Readonly<Pick<Selectable<DB['orders']>, Column>> & { readonly [lock]: true; readonly status: OrderStatus };

/** Locks an order in any state, so that its changes are serialised. */
export async function lockOrder(tx: Tx, id: string): Promise<LockedOrder | undefined> {
  if (!isId(id)) return undefined;
  const row = await tx.selectFrom('orders').select(COLUMNS).where('id', '=', id).forUpdate().executeTakeFirst();
  return row as LockedOrder | undefined;
}

/** Whether the payment became no order: it goes back in full, and changes neither the order's state nor its sums. */
export const isRefused = ({ status }: Pick<LockedOrder, 'status'>): boolean => status === 'refunded';

/** Locks all orders that a transaction will change, sorted by key and before any invoice number is taken, so that transactions cannot deadlock. */
export async function lockOrders(tx: Tx, ids: readonly string[]): Promise<void> {
  await tx
    .selectFrom('orders')
    .select('id')
    .where(isOneOf(ids.filter(isId)))
    .orderBy('id')
    .forUpdate()
    .execute();
}

/** Locks an order that staff can see. Throws 404 for any other. */
export async function lockListed(tx: Tx, id: string): Promise<LockedOrder> {
  const order = await lockOrder(tx, id);
  if (!order || !isSeen(order.status)) throw new Problem(404, 'Order not found');
  return order;
}

/** An entry of an order's history. */
export interface OrderEvent {
  kind: EventKind;
  actor: string;
  detail?: string;
}

/** The actor of a customer's own steps: orders outlive the name. */
export const CUSTOMER = 'The customer';

export async function recordEvent(db: Db, orderId: string, { kind, actor, detail = '' }: OrderEvent): Promise<void> {
  await db.insertInto('orderEvents').values({ orderId, kind, actor, detail }).execute();
}

/** The column of the delivery date: set on delivery, kept through returns, cleared when a delivery is taken back. */
const deliveryColumns = (before: OrderStatus, after: OrderStatus) =>
  isDelivered(before) === isDelivered(after) ? {} : { deliveredAt: isDelivered(after) ? sql<string>`now()` : null };

/** Whether a step makes a new revision. A refund does not: it only moves money, and its outcome may come while staff look at the order. */
const isRevision = (name: StepName) => name !== 'refund';

/** Throws 409 if something happened to an order since it was looked at; undefined for a request that does not say when. */
export function checkRevision({ reference, revision }: Pick<LockedOrder, 'reference' | 'revision'>, seen: number | undefined): void {
  if (seen !== undefined && revision !== seen)
    throw new Problem(409, `Order ${reference} has changed since you opened it. Reload the page, then try again.`);
}

/** A change of an order by staff, who have seen its `revision`: `work` makes it of the locked order. Returns the order after it. Throws 404 and 409. */
export async function changeByStaff(
  db: Db,
  who: Admin,
  id: string,
  revision: number | undefined,
  work: (tx: Tx, order: LockedOrder) => Promise<unknown>,
): Promise<Order> {
  await transactionOf(db, who, async (tx) => {
    const order = await lockListed(tx, id);
    checkRevision(order, revision);
    await work(tx, order);
  });
  return readOrder(db, who, id);
}

async function isHeldByBank(tx: Tx, { id }: LockedOrder): Promise<boolean> {
  return (await tx.selectFrom('orders').select(heldByBank.as('isHeld')).where('id', '=', id).executeTakeFirstOrThrow()).isHeld;
}

/**
 * The state machine: takes an order through a step, with its columns and its history entry. The only code that changes a stored order's state.
 * `to` and `kind` choose the state and the event of a step that has several; the state stays if the step does not lead to `to`. Throws 409 for a step that
 * the table does not allow.
 */
export async function change(
  tx: Tx,
  order: LockedOrder,
  name: StepName,
  columns: Omit<UpdateObject<DB, 'orders'>, 'id' | 'orderState' | 'status' | 'deliveredAt' | 'returnStage'>,
  { kind = stepOf(name).events[0], ...event }: Omit<OrderEvent, 'kind'> & Partial<OrderEvent>,
  to?: OrderStatus,
): Promise<LockedOrder> {
  if (!isAllowed(name, order.status)) throw new Problem(409, refusalOf(name, order));
  if (order.awaitsApproval && stepOf(name).isLeaving)
    throw new Problem(409, `Order ${order.reference} has to be approved first: it is a large first order from a new account.`);
  if (stepOf(name).isLeaving && order.disputedPrice > 0 && (await isHeldByBank(tx, order)))
    throw new Problem(409, `The payment of order ${order.reference} is disputed at the bank: cancel the order, or win the dispute first.`);
  const possible = statesAfter(name, order.status);
  const [after = order.status] = to ? possible.filter((one) => one === to) : possible;
  const row = await tx
    .updateTable('orders')
    .set({
      ...columns,
      ...deliveryColumns(order.status, after),
      ...(isRevision(name) && { revision: sql<number>`revision + 1` }),
      orderState: after,
    })
    .where('id', '=', order.id)
    .returning(COLUMNS)
    .executeTakeFirstOrThrow();
  await recordEvent(tx, order.id, { kind, ...event });
  const changed = row as unknown as LockedOrder;
  if (isRevision(name)) await endCorrection(tx, order.id, { actor: event.actor, detail: 'The order has changed since' });
  // It was paid in another way, or cancelled.
  if (changed.paidAt || !isSold(changed.status)) await endPaymentPage(tx, order.id, true);
  return changed;
}

/**
 * Ends the correction that waits for its payment, or with `isWhole` the link to pay the whole order. A job then closes its page and gives its pieces back into
 * stock, in this order. Returns whether there was one.
 */
async function endPaymentPage(tx: Tx, orderId: string, isWhole: boolean): Promise<boolean> {
  const ended = await tx
    .updateTable('orderCorrections')
    .set({ status: 'closing' })
    .where('orderId', '=', orderId)
    .where('status', '=', 'open')
    .where('isWhole', '=', isWhole)
    .returning('id')
    .executeTakeFirst();
  // With a key of its own: if the link is opened again first, its page is closed all the same.
  if (ended) await enqueue(tx, orderJobs.closeCorrection, { correctionId: ended.id, isClosing: true }, { key: `closing ${ended.id}` });
  return ended !== undefined;
}

/** Throws 409 while a correction of the order waits for its payment. An order that is to be paid by link can be corrected. */
export async function checkNoneOpen(tx: Tx, orderId: string): Promise<void> {
  const open = tx.selectFrom('orderCorrections').select('id').where('orderId', '=', orderId).where('status', '=', 'open');
  if (await open.where('isWhole', '=', false).executeTakeFirst())
    throw new Problem(409, 'A change of this order is waiting for payment. Withdraw it first.');
}

/** Ends the correction that waits for its payment. Returns whether there was one. */
export async function endCorrection(tx: Tx, orderId: string, event: Omit<OrderEvent, 'kind'>): Promise<boolean> {
  const isEnded = await endPaymentPage(tx, orderId, false);
  if (isEnded) await recordEvent(tx, orderId, { kind: 'correction ended', ...event });
  return isEnded;
}

/** Writes a mail from an order as mails may show it. `newLink`: the token of a link that confirms the address, unless that was done. */
type MailWriter = (mailOrder: Order, newLink: () => Promise<string | undefined>) => Mail | Promise<Mail>;

/** The confirmation of an order that customers placed themselves. It asks them to confirm their address. */
export const confirmationOf =
  (config: MailConfig, lostDay?: string): MailWriter =>
  async (mailOrder, newLink) =>
    orderConfirmation(config, mailOrder, lostDay, await newLink());

/**
 * Queues a mail to the customer of an order: `mailOf` writes it from the order as mails may show it. Does nothing once they have been erased. Invoices and credit
 * notes that went with no mail yet go with this one, but not to an address that was never confirmed: they name the buyer. Issue those of an event before its
 * mail. `needsDocuments`: without any, nothing is sent.
 */
export async function tellCustomer(tx: Tx, orderId: string, mailOf: MailWriter, { needsDocuments = false } = {}): Promise<void> {
  const forMail = await readOrderForMail(tx, orderId);
  if (!forMail.order.user.email) return;
  const documents = forMail.isConfirmed ? await takeUnmailed(tx, orderId) : [];
  if (needsDocuments && documents.length === 0) return;
  await sendToCustomer(tx, forMail, mailOf, documents);
}

/** As `tellCustomer`, of an order as mails may show it, and with given documents. */
export async function sendToCustomer(
  tx: Tx,
  { order, hourlyLimit, isConfirmed }: Awaited<ReturnType<typeof readOrderForMail>>,
  mailOf: MailWriter,
  documents: MailDocument[] = [],
): Promise<void> {
  const { _id: userId, email } = order.user;
  if (!email) return;
  const newLink = async () => (isConfirmed || !userId ? undefined : newAddressLink(tx, { _id: userId, email }));
  await enqueue(tx, mailJobs.sendMail, { ...(await mailOf(order, newLink)), documents, hourly: hourlyLimit, orderId: order._id });
}

/** The invoices and credit notes of an order that went with no mail to its customer yet; they count as mailed now. */
async function takeUnmailed(tx: Tx, orderId: string): Promise<{ _id: string; number: string }[]> {
  const { rows } = await sql<{ id: string; kind: InvoiceKind; number: number }>`
    with unmailed as (
      select invoices.id, kind, number, issued_at from invoices join orders on orders.id = order_id
      where order_id = ${orderId} and issued_at > documents_mailed_at
    ), marked as (
      update orders set documents_mailed_at = (select max(issued_at) from unmailed) where id = ${orderId} and exists (select from unmailed)
    )
    select id, kind, number from unmailed order by issued_at`.execute(tx);
  return rows.map(({ id, kind, number }) => ({ _id: id, number: numberText(kind, number) }));
}
