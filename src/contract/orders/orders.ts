import type { z } from 'zod';
import type * as schema from './orders.schema.ts';

export type CartLine = z.infer<typeof schema.CartLine>;
export type CreateOrderBody = z.infer<typeof schema.CreateOrderBody>;
export type DeliveryDetailsBody = z.infer<typeof schema.DeliveryDetailsBody>;
export type CorrectionBody = z.infer<typeof schema.CorrectionBody>;
export type CorrectionInput = z.input<typeof schema.CorrectionBody>;
export type Correction = z.infer<typeof schema.Correction>;
export type CreateOrderInput = z.input<typeof schema.CreateOrderBody>;
export type OrderItem = z.infer<typeof schema.OrderItem>;
export type OrderSummary = z.infer<typeof schema.OrderSummary>;
export type Order = z.infer<typeof schema.Order>;
export type OrderList = z.infer<typeof schema.OrderList>;
export type OfficeOrderList = z.infer<typeof schema.OfficeOrderList>;
/** An order of the list for staff. */
export type OfficeOrder = OfficeOrderList['orders'][number];
export type ListOrdersQuery = z.infer<typeof schema.ListOrdersQuery>;
export type PaymentLink = z.infer<typeof schema.PaymentLink>;
export type CheckoutSessionBody = z.infer<typeof schema.CheckoutSessionBody>;
export type CheckoutSessionInput = z.input<typeof schema.CheckoutSessionBody>;
export type CheckoutSession = z.infer<typeof schema.CheckoutSession>;
export type Payment = z.infer<typeof schema.Payment>;
export type Attempt = z.infer<typeof schema.Attempt>;
export type CheckedLine = z.infer<typeof schema.CheckedLine>;
export type CartDiscountBody = z.infer<typeof schema.CartDiscountBody>;
export type CheckedCart = z.infer<typeof schema.CheckedCart>;
export type Sales = z.infer<typeof schema.Sales>;
export type Refund = z.infer<typeof schema.Refund>;
export type Overpayment = z.infer<typeof schema.Overpayment>;
export type RefundBody = z.infer<typeof schema.RefundBody>;
export type SettleBody = z.infer<typeof schema.SettleBody>;

export const PAYMENT_METHOD = { cash: 'Cash on Delivery', online: 'Online Payment', card: 'Credit Card' } as const;

/** Shown for a line without a colour of a product that has colours (clarification 11). */
export const COLOUR_NOT_CHOSEN = 'Colour not chosen';

/** The state of an order's refunds in words; may be empty. */
export function refundText(order: Pick<Order, 'isRefunded' | 'isRefundDue' | 'refundedPrice' | 'waivedPrice' | 'totalPrice'>): string {
  if (order.isRefundDue) return 'Refund pending';
  if (order.isRefunded) return 'Refunded';
  if (order.refundedPrice === 0) return '';
  return order.refundedPrice < order.totalPrice - order.waivedPrice ? 'Partly refunded' : 'Refunded';
}

/** The lines of an order with pieces that have not left the shop: `line` is the position, `qty` the number of these pieces. */
export function unsentLines({ orderItems, parcels }: Pick<Order, 'orderItems' | 'parcels'>) {
  const sent = parcels.filter(({ status }) => status === 'sent').flatMap(({ pieces }) => pieces);
  return orderItems.flatMap((item, line) => {
    const sentQty = sent.filter((one) => one.line === line).reduce((sum, { qty }) => sum + qty, 0);
    const keptQty = item.qty - item.cancelledQty;
    const qty = Math.min(keptQty - sentQty, keptQty - item.returnedQty - item.spoiledQty);
    return qty > 0 ? [{ ...item, line, qty }] : [];
  });
}

interface Named {
  name: string;
  size?: string | null | undefined;
  colourName?: string | null | undefined;
}

/** A line's name with size and colour: "Oslo Sofa (Two-seat, Oatmeal)". */
export const lineName = ({ name, size, colourName }: Named): string => {
  const choice = [size, colourName].filter(Boolean).join(', ');
  return choice ? `${name} (${choice})` : name;
};

/** Pieces in words, alike ones together: "2 × Oslo Sofa (Two-seat, Oatmeal), 1 × Fable Lamp" */
export function pieceNames(pieces: readonly (Named & { qty: number })[]): string {
  const counts = new Map<string, number>();
  for (const { qty, ...piece } of pieces) counts.set(lineName(piece), (counts.get(lineName(piece)) ?? 0) + qty);
  return [...counts].map(([name, qty]) => `${qty} × ${name}`).join(', ');
}

/** Pieces of an order's lines in words. */
export const lineNames = (items: readonly Named[], pieces: readonly { line: number; qty: number }[]): string =>
  pieceNames(pieces.map(({ line, qty }) => ({ ...(items[line] ?? { name: '' }), qty })));

/** Why a text is no VAT number, of whatever country; undefined if it may be one. */
export const vatNumberProblem = (text: string): string | undefined =>
  /^([a-z\d][a-z\d .+*-]*)?$/i.test(text.trim()) ? undefined : 'Write the VAT number with letters and digits, such as GB 123 4567 89';
