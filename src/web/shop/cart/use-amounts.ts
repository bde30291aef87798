import { useContext } from 'react';
import type { Delivery } from '#contract/delivery/delivery.ts';
import { dayText } from '#contract/delivery/delivery-window.ts';
import { methodsTaking } from '#contract/delivery/load.ts';
import { methodOf, methodsFor } from '#contract/delivery/methods.ts';
import { withFreeDelivery } from '#contract/promotions/free-delivery.ts';
import { useCartDiscount } from '#web/browser/cart-discount.ts';
import { deliveryDay } from '#web/browser/delivery-day.ts';
import { useStoredValue } from '#web/browser/stored-value.ts';
import { windowOf } from '#web/shop/delivery/delivery-windows.ts';
import { selectCart, selectSubtotal } from '#web/state/cart.slice.ts';
import { DeliveryContext, useAppSelector } from '#web/state/store.ts';

/** The cart's total with its discount and the chosen delivery, in pence. */
export function useAmounts(delivery: Delivery | null) {
  const { items, shippingMethod } = useAppSelector(selectCart);
  const subtotal = useAppSelector(selectSubtotal);
  const { amount = 0, isFreeDelivery } = useCartDiscount();
  // The methods for every load, until the server has answered which load these pieces are.
  const methods = methodsTaking(useContext(DeliveryContext).methods, delivery?.load ?? 'two-person');
  const day = useStoredValue(deliveryDay) ?? '';
  const offers = methodsFor(methods, subtotal, delivery?.area);
  // Where nothing is delivered, the summary says so instead.
  const options = withFreeDelivery(offers.length > 0 ? offers : methodsFor(methods, subtotal), isFreeDelivery);
  const option = methodOf(options, shippingMethod);
  const { price: shipping } = option;
  return {
    options,
    option,
    /** The chosen day, or the days of the chosen method. */
    arrival: delivery?.options.some(({ id, days }) => id === option.id && days.includes(day))
      ? dayText(day)
      : windowOf(delivery, option.id),
    subtotal,
    amount,
    isFreeDelivery,
    shipping,
    total: items.length > 0 ? Math.max(0, subtotal - amount) + shipping : 0,
  };
}
