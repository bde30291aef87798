import { useEffect, useState } from 'react';
import type { Session } from '#contract/accounts/users.ts';
import type { Market } from '#contract/market/market.ts';
import type { OrderSummary } from '#contract/orders/orders.ts';
import { readDraft, writeDraft } from '#web/browser/drafts.ts';
import { loadLastOrder } from '#web/state/order.slice.ts';
import { useAppDispatch } from '#web/state/store.ts';
import { type CheckoutFields, filledFields } from './checkout-form.ts';

function addressOf({ phone, shippingAddress }: OrderSummary): Partial<CheckoutFields> {
  const { line1, line2, city, state, postalCode, country } = shippingAddress;
  return { phone, address1: line1, address2: line2, city, state, zip: postalCode, country };
}

/** The checkout form's values: those typed, which are stored for the account and survive login and reload, else those of the account and its last order. */
export function useDraft(user: Session, market: Market) {
  const dispatch = useAppDispatch();
  const [fromAccount, setFromAccount] = useState<Partial<CheckoutFields>>({ email: user.email, fullName: user.name });
  const [typed, setTyped] = useState<Partial<CheckoutFields>>(() => readDraft('checkoutDraft', user._id));
  useEffect(() => {
    void dispatch(loadLastOrder()).then(({ payload }) => {
      if (payload) setFromAccount((before) => ({ ...before, ...addressOf(payload as OrderSummary) }));
    });
  }, [dispatch]);
  const change = (changes: Partial<CheckoutFields>) => {
    const next = { ...typed, ...changes };
    setTyped(next);
    writeDraft('checkoutDraft', user._id, next);
  };
  return { fields: filledFields(market, fromAccount, typed), change };
}
