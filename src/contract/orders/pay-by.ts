import { dayText } from '#contract/delivery/delivery-window.ts';
import { shopDay, shopTime } from '#contract/market/shop-time.ts';
import { type OrderStatus, STATES } from './states.ts';

/** A moment for people, at most days away: `15:43 on Sun 29 Nov`. */
export const momentText = (iso: string): string => `${shopTime(iso).slice(11)} on ${dayText(shopDay(iso))}`;

/** Whether pieces of an order have left the shop. An unpaid order is then not cancelled any more. */
export const hasLeft = (status: OrderStatus): boolean => STATES[status].phase !== 'shop';

/** Asks to pay for an order by its link, with what happens otherwise. */
export function payByText({ payUntil, isSent }: { payUntil: string; isSent: boolean }): string {
  if (!isSent)
    return `Please pay by ${momentText(payUntil)}. We keep the pieces for you until then. If it is not paid, we cancel the order and you owe nothing.`;
  const when = Date.parse(payUntil) > Date.now() ? `by ${momentText(payUntil)}` : 'now';
  return `Your order has already left our warehouse. Please pay for it ${when}.`;
}
