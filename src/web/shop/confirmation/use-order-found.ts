import { useCallback } from 'react';
import { useStore } from 'react-redux';
import { useNavigate } from 'react-router';
import type { Order } from '#contract/orders/orders.ts';
import { forgetOrderNumber } from '#web/browser/business.ts';
import { cartDiscount } from '#web/browser/cart-discount.ts';
import { deliveryDay } from '#web/browser/delivery-day.ts';
import { deleteDraft, writeDraft } from '#web/browser/drafts.ts';
import { type CartItem, itemRemoved } from '#web/state/cart.slice.ts';
import type { AppStore } from '#web/state/store.ts';
import { toast } from '#web/ui/toast.ts';
import { ORDER_FOUND } from './just-placed.ts';

/** Notes a placed order for the home page, which shows it, and deletes its drafts, its discount and its chosen day. */
export function keepPlaced(owner: string, { _id }: Order): void {
  for (const draft of ['checkoutDraft', 'checkoutAttempt', 'payingOrder'] as const) deleteDraft(draft);
  cartDiscount.write(undefined);
  deliveryDay.write(undefined);
  forgetOrderNumber();
  writeDraft('placedOrder', owner, { id: _id });
}

/** Shows an order whose answer was lost. Only its lines leave the cart: others may be newer. */
export function useOrderFound(owner: string | undefined) {
  const store = useStore() as AppStore;
  const navigate = useNavigate();
  return useCallback(
    async (order: Order) => {
      if (!owner) return undefined;
      toast.success('Order placed successfully!');
      keepPlaced(owner, order);
      await navigate('/', { state: ORDER_FOUND, replace: true });
      const { items } = store.getState().cart;
      const ordered = items.filter((item) => order.orderItems.some((line) => isLineOf(item, line)));
      for (const { _id } of ordered) store.dispatch(itemRemoved(_id));
      return undefined;
    },
    [store, navigate, owner],
  );
}

/** Whether a cart line is a line of the order. A product's only size is in the order without being chosen. */
const isLineOf = (item: CartItem, { _id, size, color }: Order['orderItems'][number]) =>
  item._id === _id && (item.size ?? size) === size && (item.color ?? color) === color;
