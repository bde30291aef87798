import { type SqlBool, sql } from 'kysely';
import { MAX } from 'uuid';
import { shopTime } from '#contract/market/shop-time.ts';
import { COLOUR_NOT_CHOSEN, type ListOrdersQuery, refundText } from '#contract/orders/orders.ts';
import { stateOf } from '#contract/orders/states.ts';
import { promotionText } from '#contract/promotions/rows.ts';
import type { ProvenAdmin } from '#server/context/context.ts';
import { selectOrders, summaryOf } from '#server/orders/read.service.ts';
import { BYTE_ORDER_MARK, csvRow } from '#server/platform/csv.ts';
import type { Db } from '#server/platform/database/connect.ts';
import { inBatches } from '#server/platform/in-batches.ts';
import { filterOf } from './list.service.ts';

type Order = ReturnType<typeof summaryOf>;

const timeOf = (iso: string | null) => (iso ? shopTime(iso) : '');

const itemsOf = ({ orderItems }: Order) =>
  orderItems
    .map(({ qty, name, size, colourName, isColourOpen }) =>
      [`${qty} x ${name}`, size, colourName ?? (isColourOpen && COLOUR_NOT_CHOSEN)].filter(Boolean).join(', '),
    )
    .join('; ');

const skusOf = ({ orderItems }: Order) =>
  orderItems.some(({ sku }) => sku !== '') ? orderItems.map(({ qty, sku }) => `${qty} x ${sku || '?'}`).join('; ') : '';

/** The columns of the file. */
const COLUMNS: Record<string, (order: Order) => string | number> = {
  OrderID: ({ _id }) => _id,
  UserID: ({ user }) => user ?? '',
  Date: ({ createdAt }) => shopTime(createdAt),
  Name: ({ fullName, userName }) => fullName || userName,
  Email: ({ email, userEmail }) => email || userEmail,
  Phone: ({ phone }) => phone,
  'Address line 1': ({ shippingAddress: { line1 } }) => line1,
  'Address line 2': ({ shippingAddress: { line2 } }) => line2,
  City: ({ shippingAddress: { city } }) => city,
  State: ({ shippingAddress: { state } }) => state,
  'Postal code': ({ shippingAddress: { postalCode } }) => postalCode,
  Country: ({ shippingAddress: { country } }) => country,
  Items: itemsOf,
  'Subtotal (pence)': ({ subTotalPrice }) => subTotalPrice,
  'Shipping (pence)': ({ shippingPrice }) => shippingPrice,
  'Tax (pence)': ({ taxPrice }) => taxPrice,
  'Total (pence)': ({ totalPrice }) => totalPrice,
  'Payment method': ({ paymentMethod }) => paymentMethod,
  'Payment id': ({ orderPaymentID }) => orderPaymentID ?? '',
  Paid: ({ paidAt }) => timeOf(paidAt),
  Delivered: ({ deliveredAt }) => timeOf(deliveredAt),
  Status: (order) => [order.isRefunded ? '' : stateOf(order).label, refundText(order)].filter(Boolean).join(', '),
  Reference: ({ reference }) => reference,
  'Cancelled unpaid (pence)': ({ waivedPrice }) => waivedPrice,
  'Refunded (pence)': ({ refundedPrice }) => refundedPrice,
  'Remaining (pence)': ({ totalPrice, waivedPrice, refundedPrice }) => totalPrice - waivedPrice - refundedPrice,
  'Discount (pence)': ({ discount }) => discount,
  Promotions: ({ discounts }) => discounts.map(promotionText).join('; '),
  Company: ({ business }) => business?.company ?? '',
  'Company’s VAT number': ({ business }) => business?.vatNumber ?? '',
  'Company’s order number': ({ business }) => business?.orderNumber ?? '',
  'Note for the driver': ({ deliveryNote }) => deliveryNote,
  'Chosen day': ({ isDayChosen, deliveryWindow }) => (isDayChosen && deliveryWindow?.from) || '',
  SKUs: skusOf,
};
const cellsOf = (order: Order) => Object.values(COLUMNS).map((cell) => cell(order));

/** The orders of a list's filters as CSV, newest first; amounts in pence, times in the shop's time zone. */
export async function* exportOrders(db: Db, _: ProvenAdmin, query: ListOrdersQuery): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK + csvRow(Object.keys(COLUMNS));
  const where = filterOf(query);
  const batches = inBatches((last: { exactCreatedAt: string; _id: string } | undefined, limit) =>
    selectOrders(db)
      .where(where)
      // The first batch begins at the end.
      .where(sql<SqlBool>`(created_at, id) < (${last?.exactCreatedAt ?? 'infinity'}::timestamptz, ${last?._id ?? MAX}::uuid)`)
      // API times are cut to milliseconds, but the next batch must start exactly after this one.
      .select(sql<string>`created_at::text`.as('exactCreatedAt'))
      .orderBy('createdAt', 'desc')
      .orderBy('id', 'desc')
      .limit(limit)
      .execute(),
  );
  for await (const rows of batches) yield rows.map((row) => csvRow(cellsOf(summaryOf(row)))).join('');
}
