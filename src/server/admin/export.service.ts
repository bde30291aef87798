import { type SqlBool, sql } from 'kysely';
import { shopTime } from '#contract/market/shop-time.ts';
import { COLOUR_OPEN, type ListOrdersQuery, refundText } from '#contract/orders/orders.ts';
import { stateOf } from '#contract/orders/states.ts';
import { exportedCell } from '#server/catalogue/import/exported.ts';
import { cellsOf, FILE_COLUMNS, PRODUCT_COLUMNS, selectProducts } from '#server/catalogue/import/product-csv.ts';
import type { Admin, ProvenAdmin } from '#server/context/context.ts';
import { selectOrders, summaryOf } from '#server/orders/read.service.ts';
import { BYTE_ORDER_MARK, csvRow } from '#server/platform/csv.ts';
import type { Db } from '#server/platform/database/connect.ts';
import { filterOf } from './order-list.service.ts';

/** So many rows are held at a time; each batch goes on after the key of the one before. */
const BATCH = 500;
const LAST_KEY = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
const FIRST_KEY = '00000000-0000-0000-0000-000000000000';

const ORDER_COLUMNS = [
  ...['OrderID', 'UserID', 'Date', 'Name', 'Email', 'Phone', 'Address line 1', 'Address line 2', 'City', 'State', 'Postal code', 'Country'],
  ...[
    'Items',
    'Subtotal (pence)',
    'Shipping (pence)',
    'Tax (pence)',
    'Total (pence)',
    'Payment method',
    'Payment id',
    'Paid',
    'Delivered',
    'Status',
    'Reference',
    'Cancelled unpaid (pence)',
    'Refunded (pence)',
    'Remaining (pence)',
  ],
];

/** The orders that a list's filters find, newest first, as lines of CSV; amounts in pence, times as the shop's clock shows them. */
export async function* exportOrders(db: Db, _: ProvenAdmin, query: ListOrdersQuery): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK + csvRow(ORDER_COLUMNS);
  const where = filterOf(query);
  let [last, id] = ['infinity', LAST_KEY];
  for (;;) {
    const rows = await selectOrders(db)
      .where(where)
      .where(sql<SqlBool>`(created_at, id) < (${last}::timestamptz, ${id}::uuid)`)
      // The API's times end at milliseconds; the next batch must begin where this one ended exactly.
      .select(sql<string>`created_at::text`.as('exactly'))
      .orderBy('createdAt', 'desc')
      .orderBy('id', 'desc')
      .limit(BATCH)
      .execute();
    yield rows.map((row) => csvRow(orderCells(summaryOf(row)))).join('');
    const end = rows.at(-1);
    if (!end || rows.length < BATCH) return;
    [last, id] = [end.exactly, end._id];
  }
}

const timeOf = (iso: string | null) => (iso ? shopTime(iso) : '');

function orderCells({ shippingAddress: { line1, line2, city, state, postalCode, country }, ...order }: ReturnType<typeof summaryOf>) {
  const items = order.orderItems.map(({ qty, name, size, colourName, isColourOpen }) =>
    [`${qty} x ${name}`, size, colourName ?? (isColourOpen && COLOUR_OPEN)].filter(Boolean).join(', '),
  );
  return [
    ...[
      order._id,
      order.user ?? '',
      shopTime(order.createdAt),
      order.fullName || order.userName,
      order.email || order.userEmail,
      order.phone,
    ],
    ...[line1, line2, city, state, postalCode, country, items.join('; ')],
    ...[order.subTotalPrice, order.shippingPrice, order.taxPrice, order.totalPrice],
    ...[
      order.paymentMethod,
      order.orderPaymentID ?? '',
      timeOf(order.paidAt),
      timeOf(order.deliveredAt),
      order.isRefunded ? refundText(order) : [stateOf(order).label, refundText(order)].filter(Boolean).join(', '),
      order.reference,
    ],
    ...[order.waivedPrice, order.refundedPrice, order.totalPrice - order.waivedPrice - order.refundedPrice],
  ];
}

/** All products as lines of CSV, in the order in which they were made, each with what it held; an import of it changes nothing. */
export async function* exportProducts(db: Db, _: Admin): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK + csvRow(FILE_COLUMNS);
  const at = new Date().toISOString();
  let last = FIRST_KEY;
  for (;;) {
    const rows = await selectProducts(db, sql<SqlBool>`id > ${last}::uuid`).limit(BATCH).execute();
    yield rows
      .map(cellsOf)
      .map((cells) => csvRow([...PRODUCT_COLUMNS.map((column) => cells[column]), exportedCell(cells, at)]))
      .join('');
    const end = rows.at(-1);
    if (!end || rows.length < BATCH) return;
    last = end.id;
  }
}
