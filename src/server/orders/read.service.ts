import { type Selectable, type SqlBool, sql } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import { may, type Right } from '#contract/accounts/roles.ts';
import { colourNameOf } from '#contract/catalogue/colour.ts';
import type { Pence } from '#contract/market/money.ts';
import { byBankOf, heldOf, owedOf } from '#contract/market/owed.ts';
import type { EventKind } from '#contract/orders/events.ts';
import { type Order, type OrderList, type OrderSummary, PAYMENT_METHOD } from '#contract/orders/orders.ts';
import type { OrderStatus } from '#contract/orders/states.ts';
import { STEP_NAMES, type StepName, stepOf } from '#contract/orders/steps.ts';
import { PAGE_SIZE } from '#contract/platform/lists.ts';
import { Problem } from '#contract/platform/problem.ts';
import type { Customer } from '#server/context/context.ts';
import { hasProForma, listInvoices } from '#server/invoices/read.service.ts';
import { isOneOf } from '#server/platform/database/arrays.ts';
import { CUSTOM_PLAN, type Db } from '#server/platform/database/connect.ts';
import { jsonKeys } from '#server/platform/database/json-key.ts';
import type { DB } from '#server/platform/database/schema.ts';
import { readPage } from '#server/platform/lists/read-page.ts';
import { HOURLY_MAILS } from '#server/sessions/mail-limit.service.ts';
import { listCarriedByTwo } from './lines/carried-by-two.service.ts';
import { collectedOf, listParcels, withBack, withCashDue } from './lines/parcels.service.ts';
import { listReturns } from './lines/returns.service.ts';
import { skuOf } from './lines/sku.ts';
import { openRefunds, refundable } from './refunds/refundable.ts';
import { isToPayBack } from './refunds/to-pay-back.ts';
import { uncountedOf } from './refunds/write-offs.service.ts';
import { askedOf, overpaid } from './rules/asked.ts';
import { isWithinWindow, lastDayToAsk } from './rules/return-window.ts';
import { heldByBank, inState, isAllowed, isDelivered, isSeen, isSold, listed } from './rules/states.ts';

const COLUMNS = [
  'id as _id',
  'reference',
  'createdAt',
  'userId',
  'userName',
  'userEmail',
  'fullName',
  'email',
  'phone',
  'line1',
  'line2',
  'city',
  'state',
  'postalCode',
  'country',
  'subTotalPrice',
  'discount',
  'shippingPrice',
  'deliveryOff',
  'taxPrice',
  'totalPrice',
  'shippingMethod',
  'shippingLabel',
  'deliveryNote',
  sql<Order['business']>`business`.as('business'),
  'deliveryFrom',
  'deliveryTo',
  'isDayChosen',
  'paymentMethod',
  'orderPaymentId',
  'paidAt',
  'dispatchedAt',
  'deliveredAt',
  'orderState as status',
  'waivedPrice',
  'refundedPrice',
  'disputedPrice',
  'goodwillPrice',
  'entitledPrice',
  'keptPrice',
  'awaitsApproval',
  'receivedBy',
  'writtenOff',
  'writeOffCounted',
  'toCollect',
  'revision',
] as const;

/**
 * Whether a refund is outstanding: of a payment that became no order until an event confirms it or its bank has given it back, one that is under way, what is
 * owed for pieces that left the order, goodwill that failed, and money that came in besides what was due and does not count towards what is due now.
 */
const refundDue = sql<boolean>`(order_state = 'refunded' and not has_event(orders.id, 'refunded') and not has_event(orders.id, 'more paid back')
  and not exists (select from second_payment_outcomes outcome where outcome.payment_id = provider_payment_id and outcome.status = 'lost')
  or exists (select from order_refunds where order_id = orders.id and order_refunds.status = 'pending') or ${isToPayBack}
  or ${overpaid} > case when paid_at is null then total_price - waived_price else 0 end
  or exists (select from overpayments where overpayments.order_id = orders.id and status = 'owed' and payment_id is not null)
  or exists (select from second_payments join second_payment_outcomes outcome using (payment_id)
    where second_payments.order_id = orders.id and kind = 'refund' and outcome.status = 'pending'))`;

/** Whether something of the order's own receipt was given back, so that it can no longer be undone. */
const hasRefunds = sql<boolean>`(exists (select from order_refunds where order_refunds.order_id = orders.id and order_refunds.status = 'done' and amount > 0)
  or exists (select from overpayments
  where overpayments.order_id = orders.id and is_with_payment and status = 'paid_back'))`;

/** Whether an order's history has an event of a kind. */
export async function hasEvent(db: Db, orderId: string, kind: EventKind): Promise<boolean> {
  const { rows } = await sql<{ has: boolean }>`select has_event(${orderId}::uuid, ${kind}) as has`.execute(db);
  return rows[0]?.has ?? false;
}

/** The ids of delivered orders, without those that came back as a whole. */
export const selectDelivered = (db: Db) =>
  db
    .selectFrom('orders')
    .select('orders.id')
    .where(inState('delivered', 'return_asked', 'return_approved'));

/** Orders with their lines. */
export function selectOrders(db: Db) {
  return db
    .selectFrom('orders')
    .select(COLUMNS)
    .select(overpaid.as('overpaid'))
    .select([refundDue.as('isRefundDue'), hasProForma.as('hasProForma'), heldByBank.as('isHeldByBank'), hasRefunds.as('hasRefunds')])
    .select((eb) =>
      jsonArrayFrom(
        eb
          .selectFrom('orderItems')
          .select(['productId as _id', 'name', 'image', 'qty', 'price', 'discount', 'size', 'color'])
          .select(jsonKeys('orderItems', 'colourName', 'isColourOpen'))
          .select(jsonKeys('orderItems', 'cancelledQty', 'returnedQty', 'spoiledQty', 'refundedQty', 'partialRefund'))
          .select(skuOf('order_items').as('sku'))
          .whereRef('orderId', '=', 'orders.id')
          .orderBy('position'),
      ).as('orderItems'),
    )
    .select((eb) =>
      jsonArrayFrom(
        eb
          .selectFrom('redemptions')
          .select(['name', 'code', 'discount as amount'])
          .select(jsonKeys('redemptions', 'isFreeDelivery'))
          .whereRef('orderId', '=', 'orders.id')
          // The automatic promotion first: it was applied first.
          .orderBy(sql`code is not null`),
      ).as('discounts'),
    );
}

type Row = Awaited<ReturnType<ReturnType<typeof selectOrders>['execute']>>[number];

/** An order in a list, from its row. */
export function summaryOf({
  userId,
  orderPaymentId,
  deliveryFrom,
  deliveryTo,
  disputedPrice: _disputed,
  goodwillPrice: _goodwill,
  entitledPrice: _entitled,
  keptPrice: _kept,
  revision: _revision,
  hasProForma: _hasProForma,
  isHeldByBank: _isHeld,
  hasRefunds: _hasRefunds,
  receivedBy: _receivedBy,
  writtenOff: writtenOffPrice,
  writeOffCounted: _writeOffCounted,
  toCollect: _toCollect,
  overpaid: overpaidPrice,
  ...columns
}: Row): OrderSummary {
  const { line1, line2, city, state, postalCode, country, ...row } = columns;
  const status = row.status as OrderStatus;
  return {
    ...row,
    writtenOffPrice,
    // The state of an unpaid checkout is internal: only the checkout itself reads such an order.
    status: isSeen(status) ? status : 'placed',
    orderItems: row.orderItems.map((item) => ({ ...item, colourName: colourNameOf(item.color, item.colourName) })),
    user: userId,
    orderPaymentID: orderPaymentId,
    shippingAddress: { line1, line2, city, state, postalCode, country },
    deliveryWindow: deliveryFrom && deliveryTo ? { from: deliveryFrom, to: deliveryTo } : null,
    isPaid: row.paidAt !== null,
    isDelivered: row.deliveredAt !== null,
    isRefunded: status === 'refunded',
    amountDue: row.paidAt === null && isSold(status) ? askedOf({ ...row, overpaid: overpaidPrice }) : 0,
  };
}

interface Reader {
  isOwn: boolean;
  may: (right: Right) => boolean;
}

type Payable = Pick<Row, 'paymentMethod' | 'paidAt' | 'totalPrice' | 'waivedPrice'> & { status: string };

/** Whether staff can record that an order was paid: not if the provider does, and not once nothing of it is due. */
export const canReceive = ({ paymentMethod, paidAt, totalPrice, waivedPrice, status }: Payable): boolean =>
  isAllowed('receiveCash', status as OrderStatus) &&
  paymentMethod !== PAYMENT_METHOD.card &&
  paidAt === null &&
  (totalPrice > waivedPrice || totalPrice === 0);

/**
 * What the drivers of a delivered order may have above what is asked, since pieces came back. Nothing once cash was recorded: that was all that came in. A
 * transfer may have come besides.
 */
export const heldByDrivers = ({
  toCollect,
  paidAt,
  receivedBy,
  ...order
}: Pick<Row, 'toCollect' | 'paidAt' | 'receivedBy' | 'totalPrice' | 'waivedPrice' | 'overpaid'>): Pence => {
  if (paidAt !== null && receivedBy !== 'transfer') return 0;
  return Math.max(0, toCollect - (paidAt === null ? askedOf(order) : 0));
};

/** The steps that a reader can take next. */
function stepsFor(row: Row, status: OrderStatus, reader: Reader): StepName[] {
  const isByHand = row.paymentMethod !== PAYMENT_METHOD.card;
  const isInTime = row.deliveredAt !== null && isWithinWindow(row.deliveredAt, new Date().toISOString());
  const conditions: Partial<Record<StepName, boolean>> = {
    approve: row.awaitsApproval,
    askForReturn: isInTime,
    refund: refundable({ ...row, status }) > 0,
    receiveCash: canReceive({ ...row, status }),
    takeBackCash: isByHand && row.paidAt !== null && !row.hasRefunds,
    receiveMore: !canReceive({ ...row, status }),
    notCollected: heldByDrivers(row) > 0,
    writeOff: row.paidAt === null && askedOf(row) > 0,
  };
  return STEP_NAMES.filter((name) => {
    const { who, isLeaving = false } = stepOf(name);
    const isForStaff = who === 'office' && reader.may(name === 'refund' || name === 'writeOff' ? 'move money' : 'change orders');
    const isForReader = isForStaff || (who === 'customer' && reader.isOwn);
    const isHeldBack = isLeaving && (row.awaitsApproval || row.isHeldByBank);
    return isForReader && isAllowed(name, status) && !isHeldBack && conditions[name] !== false;
  });
}

const stepFlags = (can: StepName[]) => ({
  can,
  isReturnable: can.includes('askForReturn'),
  isCancellable: can.includes('cancelByCustomer'),
  isCancellableByShop: can.includes('cancelLines'),
});

/** An order for its customer, from its row. */
export function orderOf(row: Row): Order {
  const { user, userName, userEmail, ...summary } = summaryOf(row);
  return {
    ...summary,
    user: { _id: user, name: userName, email: userEmail },
    revision: row.revision,
    correction: null,
    payUntil: null,
    events: [],
    refunds: [],
    overpayments: [],
    ...withCashDue(summary, []),
    toReceive: summary.amountDue,
    receivedBy: row.receivedBy as Order['receivedBy'],
    invoices: [],
    returns: [],
    carriedByTwo: [],
    returnUntil: summary.deliveredAt && lastDayToAsk(summary.deliveredAt),
    ...stepFlags(stepsFor(row, summary.status, { isOwn: true, may: () => false })),
    refundable: refundable({ ...row, status: summary.status }),
    owedPrice: owedOf(row),
    heldPrice: heldOf(row),
    writtenOff: uncountedOf(row),
    keptPrice: row.keptPrice + byBankOf(row),
  };
}

/** Reads any order, also one that awaits its payment. Callers must have checked access. Throws 404. */
export async function readAnyOrder(db: Db, id: string): Promise<Order> {
  const row = await selectOrders(db).where('id', '=', id).executeTakeFirst();
  if (!row) throw new Problem(404, 'Order not found');
  return { ...orderOf(row), invoices: await listInvoices(db, row) };
}

const NOWHERE = { line1: '', line2: '', city: '', state: '', postalCode: '', country: '' };

/**
 * An order for a mail, with the hourly mail limit of its buyer. The mail goes to the last confirmed address of the account, which is kept once that is deleted.
 * An address that was never confirmed may be a stranger's, so its mail has nothing that the buyer typed.
 */
export async function readOrderForMail(db: Db, id: string): Promise<OrderForMail> {
  const order = await readAnyOrder(db, id);
  const account = order.user._id
    ? await db
        .selectFrom('users')
        .select(['email', 'isEmailConfirmed', 'confirmedEmail'])
        .where('id', '=', order.user._id)
        .executeTakeFirst()
    : await db
        .selectFrom('orders')
        .select(['userEmail as email', 'wasEmailConfirmed as isEmailConfirmed', sql<null>`null`.as('confirmedEmail')])
        .where('id', '=', id)
        .executeTakeFirst();
  return orderForMail(order, account);
}

interface OrderForMail {
  order: Order;
  hourlyLimit: number;
  isConfirmed: boolean;
}

/** As `readOrderForMail`, of an order and its account that were read already. */
export function orderForMail(
  { user, ...order }: Order,
  account: Pick<Selectable<DB['users']>, 'email' | 'isEmailConfirmed' | 'confirmedEmail'> | undefined,
): OrderForMail {
  const email = account ? (account.confirmedEmail ?? account.email) : user.email;
  const isConfirmed = account !== undefined && (account.isEmailConfirmed || account.confirmedEmail !== null);
  if (isConfirmed) return { order: { ...order, user: { ...user, email } }, hourlyLimit: HOURLY_MAILS.confirmed, isConfirmed };
  return {
    order: { ...order, fullName: '', business: null, deliveryNote: '', shippingAddress: NOWHERE, user: { ...user, name: '', email } },
    hourlyLimit: HOURLY_MAILS.unconfirmed,
    isConfirmed,
  };
}

/** An order for its owner, or with its history for an administrator who may see orders. Throws 404 for anyone else. */
export async function readOrder(db: Db, who: Customer, id: string): Promise<Order> {
  let statement = selectOrders(db).where('id', '=', id).where(listed);
  const isOffice = may(who, 'see orders');
  if (!isOffice) statement = statement.where('userId', '=', who._id);
  const row = await statement.executeTakeFirst();
  if (!row) throw new Problem(404, 'Order not found');
  const placed = orderOf(row);
  const parcels = await listParcels(db, id);
  const order = {
    ...placed,
    refunds: await listRefunds(db, placed, isOffice),
    ...withCashDue(placed, parcels),
    overpayments: await listOverpayments(db, id, isOffice),
    toReceive: toReceiveOf(placed, row, parcels),
    invoices: await listInvoices(db, row),
    returns: await listReturns(db, id),
    carriedByTwo: placed.isDelivered ? await listCarriedByTwo(db, id) : [],
    ...(await findToBePaid(db, id)),
    ...stepFlags(stepsFor(row, placed.status, { isOwn: row.userId === who._id, may: (right) => may(who, right) })),
  };
  if (!isOffice) return order;
  const events = await db
    .selectFrom('orderEvents')
    .select(['at', 'kind', 'actor', 'detail'])
    .where('orderId', '=', id)
    .orderBy('id')
    .modifyEnd(sql.raw(CUSTOM_PLAN))
    .execute();
  return { ...order, events: events as Order['events'] };
}

/** What to record as received: the sum due or, if it is more, what the drivers of a cash order were to collect. */
function toReceiveOf(order: Order, row: Row, parcels: Parameters<typeof collectedOf>[2]): Pence {
  const { amountDue, isPaid, paymentMethod, status } = order;
  if (isDelivered(status)) return amountDue + heldByDrivers(row);
  if (isPaid || paymentMethod !== PAYMENT_METHOD.cash || !isSold(status)) return amountDue;
  return Math.max(amountDue, collectedOf(amountDue, order.orderItems.map(withBack), parcels));
}

/** What waits for the customer's payment by card: a correction, or the whole order, of which nothing is here by hand. */
async function findToBePaid(db: Db, orderId: string): Promise<Pick<Order, 'correction' | 'payUntil'>> {
  const { rows } = await sql<NonNullable<Order['correction']> & { isWhole: boolean }>`
    select is_whole, difference, plan ->> 'takenOff' as taken_off, plan ->> 'more' as added, pay_until
    from order_corrections request join orders on orders.id = order_id
    where order_id = ${orderId}::uuid and request.status = 'open' and not (is_whole and ${overpaid} > 0)`.execute(db);
  const [found] = rows;
  if (!found) return { correction: null, payUntil: null };
  const { isWhole, ...correction } = found;
  return isWhole ? { correction: null, payUntil: correction.payUntil } : { correction, payUntil: null };
}

/** True once we have stopped retrying a refund the provider never accepted. */
export const isStuck = sql<boolean>`(order_refunds.status = 'pending' and not is_by_hand and provider_refund_id is null and not exists (
  select from jobs where key = 'refund ' || order_refunds.id and (attempts < max_attempts or taken_by is not null)))`;

/**
 * The refunds of an order, oldest first. `openPrice` is the part of a failed refund that can be paid now. Customers see a failed refund as pending while
 * some of it is owed, and see neither actor nor failure.
 */
async function listRefunds(db: Db, { _id, owedPrice: owed, refundable: most }: Order, isOffice: boolean): Promise<Order['refunds']> {
  const rows = await db
    .selectFrom('orderRefunds')
    .select([
      'id as _id',
      'createdAt',
      'amount',
      'goodwill',
      'paidOtherwise',
      'reason',
      'detail',
      'actor',
      'isByHand',
      'paidBackBy',
      'status',
      'failure',
    ])
    .select(isStuck.as('isStuck'))
    .where('orderId', '=', _id)
    .where('amount', '>', 0)
    .orderBy('createdAt')
    .orderBy('id')
    .execute();
  const open = openRefunds(rows, { owed, refundable: most });
  const refunds = rows.map(({ goodwill, paidOtherwise, ...row }, index) => ({
    ...row,
    openPrice: open[index]?.amount ?? 0,
  })) as Order['refunds'];
  if (isOffice) return refunds;
  return refunds
    .filter(({ status, openPrice }) => status !== 'failed' || openPrice > 0)
    .map((refund) => ({
      ...refund,
      amount: refund.openPrice || refund.amount,
      actor: '',
      failure: '',
      isStuck: false,
      status: refund.status === 'done' ? 'done' : 'pending',
    }));
}

/** What came in for an order besides what was due, oldest first. Customers see no actor, and only what is to be paid back or was. */
async function listOverpayments(db: Db, orderId: string, isOffice: boolean): Promise<Order['overpayments']> {
  const rows = await db
    .selectFrom('overpayments')
    .select(['id as _id', 'receivedAt', 'amount', 'actor', 'isWithPayment', 'status', 'paidBackBy'])
    .select(sql<string>`case when payment_id is null then received_by else 'card' end`.as('receivedBy'))
    .where('orderId', '=', orderId)
    .orderBy('receivedAt')
    .orderBy('id')
    .execute();
  const all = rows as Order['overpayments'];
  return isOffice ? all : all.filter(({ status }) => status === 'owed' || status === 'paid_back').map((row) => ({ ...row, actor: '' }));
}

/** One page of a customer's own orders, newest first. They are few, so no index of the sort is needed. */
export async function listMyOrders(db: Db, who: Customer, pageNumber: number): Promise<OrderList> {
  const where = sql<SqlBool>`${listed} and user_id = ${who._id}`;
  const list = { table: 'orders', where, sort: { columns: ['created_at', 'id'], direction: 'desc' }, isIndexed: false } as const;
  const { rows, ...page } = await readPage(db, list, { pageNumber, pageSize: PAGE_SIZE.orderHistory }, (ids) =>
    selectOrders(db).where(isOneOf(ids)).execute(),
  );
  return { orders: rows.map(summaryOf), ...page };
}
