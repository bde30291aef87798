import type { Order } from '#contract/orders/orders.ts';

/** The business that bought an order. */
export function BusinessBuyer({ business }: Pick<Order, 'business'>) {
  if (!business) return null;
  const { company, vatNumber, orderNumber } = business;
  const parts = [company, vatNumber && `VAT number ${vatNumber}`, orderNumber && `order number ${orderNumber}`].filter(Boolean);
  return <p className="wrap-anywhere">For a business: {parts.join(', ')}</p>;
}
