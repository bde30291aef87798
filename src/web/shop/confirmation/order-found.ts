import type { NavigateFunction } from 'react-router';
import type { Order } from '#contract/orders/orders.ts';
import { forgetOrderNumber } from '#web/browser/business.ts';
import { cartDiscount } from '#web/browser/cart-discount.ts';
import { deliveryDay } from '#web/browser/delivery-day.ts';
import { deleteDraft, writeDraft } from '#web/browser/drafts.ts';
import { type CartItem, itemRemoved } from '#web/state/cart.slice.ts';
import type { AppStore } from '#web/state/store.ts';
import { request } from '#web/state/thunk.ts';
import { toast } from '#web/ui/toast.ts';
import { ORDER_FOUND } from './just-placed.ts';

type Dispatch = AppStore['dispatch'];

/** The order sent with this key, if it was placed and not cancelled. Throws a Problem if the shop cannot answer. */
export async function findAttempt(dispatch: Dispatch, key: string): Promise<Order | undefined> {
  const { order } = await dispatch(request('GET /api/order-attempts/:id', { params: { id: key } }));
  if (order?.status !== 'cancelled') return order ?? undefined;
  // A new try with its key would only return the cancelled order.
  deleteDraft('checkoutAttempt');
  return undefined;
}

/** The paid order of a card checkout that nobody returned from. */
async function findPaid(dispatch: Dispatch, id: string): Promise<Order | undefined> {
  const { state, order } = await dispatch(request('GET /api/orders/:id/payment', { params: { id } }));
  if (state === 'settled' && order && order.status !== 'cancelled') return order;
  if (state !== 'waiting') deleteDraft('payingOrder');
  return undefined;
}

/** A tab's order or payment without an answer: the key of the one, the id of the other. */
export interface Unanswered {
  key?: string | undefined;
  payment?: string | undefined;
}

/** The order whose answer was lost, if it was placed. */
export const findUnanswered = async (dispatch: Dispatch, { key, payment }: Unanswered): Promise<Order | undefined> =>
  (key && (await findAttempt(dispatch, key))) || (payment && (await findPaid(dispatch, payment))) || undefined;

/** Notes a placed order for the home page, which shows it, and deletes its drafts, its discount and its chosen day. */
export function keepPlaced(owner: string, { _id }: Order): void {
  for (const draft of ['checkoutDraft', 'checkoutAttempt', 'payingOrder'] as const) deleteDraft(draft);
  cartDiscount.write(undefined);
  deliveryDay.write(undefined);
  forgetOrderNumber();
  writeDraft('placedOrder', owner, { id: _id });
}

/** Shows an order whose answer was lost. Only its lines leave the cart: others may be newer. */
export async function showFound(store: AppStore, navigate: NavigateFunction, owner: string, order: Order): Promise<undefined> {
  toast.success('Order placed successfully!');
  keepPlaced(owner, order);
  await navigate('/', { state: ORDER_FOUND, replace: true });
  const { items } = store.getState().cart;
  const ordered = items.filter((item) => order.orderItems.some((line) => isLineOf(item, line)));
  for (const { _id } of ordered) store.dispatch(itemRemoved(_id));
}

/** Whether a cart line is a line of the order. A product's only size is in the order without being chosen. */
const isLineOf = (item: CartItem, { _id, size, color }: Order['orderItems'][number]) =>
  item._id === _id && (item.size ?? size) === size && (item.color ?? color) === color;
