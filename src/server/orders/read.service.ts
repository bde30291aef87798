import { type SqlBool, sql } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import { colourNameOf } from '#contract/attributes/colour.ts';
import { PAGE_SIZE } from '#contract/base/lists.ts';
import { Problem } from '#contract/base/problem.ts';
import type { Order, OrderList, OrderSummary } from '#contract/orders.ts';
import { isId } from '#server/base/ids.ts';
import type { Customer } from '#server/context/context.ts';
import type { Db } from '#server/db/connect.ts';
import { isOneOf, readPage } from '#server/lists/read-page.ts';
import { isSeen, listed, statusOf } from './states.ts';

const columns = [
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
  'shippingPrice',
  'taxPrice',
  'totalPrice',
  'shippingMethod',
  'deliveryFrom',
  'deliveryTo',
  'paymentMethod',
  'orderPaymentId',
  'paidAt',
  'dispatchedAt',
  'deliveredAt',
  'status',
] as const;

/** The provider's confirmation of a refund is an event of the order; until then the money has not gone back. */
const refundDue = sql<boolean>`(status = 'refunded' and not exists
  (select from order_events where order_id = orders.id and kind = 'refunded'))`;

/** The ids of orders that were delivered and stand: none that was cancelled, returned or refunded. */
export const selectDelivered = (db: Db) =>
  db.selectFrom('orders').select('orders.id').where('orders.status', '=', 'placed').where('orders.deliveredAt', 'is not', null);

/** Orders with their lines. */
export function selectOrders(db: Db) {
  return db
    .selectFrom('orders')
    .select(columns)
    .select(refundDue.as('isRefundDue'))
    .select((eb) =>
      jsonArrayFrom(
        eb
          .selectFrom('orderItems')
          .select(['productId as _id', 'name', 'image', 'qty', 'price', 'size', 'color'])
          // Keys within JSON are left as they are written, so that this one is written as the API has it.
          .select((line) => line.ref('isColourOpen').as<'isColourOpen'>(sql.raw('"isColourOpen"')))
          .whereRef('orderId', '=', 'orders.id')
          .orderBy('position'),
      ).as('orderItems'),
    );
}

type Row = Awaited<ReturnType<ReturnType<typeof selectOrders>['execute']>>[number];

/** A row of `selectOrders` as a list shows it. */
export function summaryOf({ userId, orderPaymentId, deliveryFrom, deliveryTo, ...columns }: Row): OrderSummary {
  const { line1, line2, city, state, postalCode, country, ...row } = columns;
  const status = statusOf(row);
  return {
    ...row,
    // A checkout that awaits its payment is read by the code that makes it only.
    status: isSeen(status) ? status : 'placed',
    orderItems: row.orderItems.map((item) => ({ ...item, colourName: colourNameOf(item.color) })),
    user: userId,
    orderPaymentID: orderPaymentId,
    shippingAddress: { line1, line2, city, state, postalCode, country },
    deliveryWindow: deliveryFrom && deliveryTo ? { from: deliveryFrom, to: deliveryTo } : null,
    isPaid: row.paidAt !== null,
    isDelivered: row.deliveredAt !== null,
    isRefunded: status === 'refunded',
  };
}

/** An order as the API shows it, from its row. */
export function orderOf(row: Row): Order {
  const { user, userName, userEmail, ...summary } = summaryOf(row);
  return { ...summary, user: { _id: user, name: userName, email: userEmail }, events: [] };
}

/** An order whoever asks, also one that awaits its payment: for code that has already decided. Throws 404. */
export async function readAnyOrder(db: Db, id: string): Promise<Order> {
  const row = isId(id) ? await selectOrders(db).where('id', '=', id).executeTakeFirst() : undefined;
  if (!row) throw new Problem(404, 'Order not found');
  return orderOf(row);
}

/** The same for a mail: its buyer has the address that the account has now, where there still is an account. */
export async function readOrderForMail(db: Db, id: string): Promise<Order> {
  const { user, ...order } = await readAnyOrder(db, id);
  const account = user._id ? await db.selectFrom('users').select('email').where('id', '=', user._id).executeTakeFirst() : undefined;
  return { ...order, user: { ...user, email: account?.email ?? user.email } };
}

/** An order for its owner or an administrator, who also sees its history. Throws 404 for anyone else's. */
export async function readOrder(db: Db, who: Customer, id: string): Promise<Order> {
  let statement = selectOrders(db).where('id', '=', id).where(listed);
  if (!who.isAdmin) statement = statement.where('userId', '=', who._id);
  const row = isId(id) ? await statement.executeTakeFirst() : undefined;
  if (!row) throw new Problem(404, 'Order not found');
  if (!who.isAdmin) return orderOf(row);
  const events = await db
    .selectFrom('orderEvents')
    .select(['at', 'kind', 'actor', 'detail'])
    .where('orderId', '=', id)
    .orderBy('id')
    .execute();
  return { ...orderOf(row), events };
}

/** One page of a customer's own orders, newest first. They are few, and are sorted as a whole. */
export async function listMyOrders(db: Db, who: Customer, pageNumber: number): Promise<OrderList> {
  const where = sql<SqlBool>`${listed} and user_id = ${who._id}`;
  const list = { table: 'orders', where, sort: { columns: ['created_at', 'id'], direction: 'desc' }, isIndexed: false } as const;
  const { rows, ...page } = await readPage(db, list, { pageNumber, pageSize: PAGE_SIZE.orderHistory }, (ids) =>
    selectOrders(db).where(isOneOf(ids)).execute(),
  );
  return { orders: rows.map(summaryOf), ...page };
}
