import { useContext, useState } from 'react';
import { business } from '#web/browser/business.ts';
import { Instalments } from '#web/parts/instalments.tsx';
import { lazyPart } from '#web/parts/lazy-part.tsx';
import { PaymentMarks } from '#web/parts/payment-marks.tsx';
import { DispatchDay } from '#web/shop/delivery/dispatch-day.tsx';
import { FreeDelivery } from '#web/shop/delivery/free-delivery.tsx';
import { useDelivery, usePlace } from '#web/shop/delivery/use-delivery.ts';
import { selectCart } from '#web/state/cart.slice.ts';
import { selectCheckout } from '#web/state/order.slice.ts';
import { DeliveryContext, MarketContext, useAppSelector } from '#web/state/store.ts';
import { selectUserInfo } from '#web/state/user.slice.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Button } from '#web/ui/button.tsx';
import { More } from '#web/ui/more.tsx';
import { DayChoiceIfOffered } from './day-choice-if-offered.tsx';
import { DiscountPanel } from './discount-panel.tsx';
import { useAmounts } from './use-amounts.ts';
import { useDiscount } from './use-discount.ts';
import { usePay } from './use-pay.ts';

const BusinessFields = lazyPart(async () => (await import('./business-fields.tsx')).BusinessFields);

/** Asked where delivery differs by place. */
const PlaceQuestion = lazyPart(async () => (await import('#web/shop/delivery/place-question.tsx')).PlaceQuestion, {
  fallback: <div className="min-h-28" />,
});

const ShippingChoice = lazyPart(async () => (await import('./shipping-choice.tsx')).ShippingChoice, {
  fallback: <div className="min-h-36" />,
});

/** Open where a company was typed before. */
function BusinessPanel() {
  const [isOpen] = useState(() => Boolean(business.read()?.company));
  return (
    <More summary="Buying for a business?" isOpen={isOpen}>
      <BusinessFields />
    </More>
  );
}

/** The total with delivery, and its days. With a choice of delivery, each option has its own days. */
function Amounts() {
  const market = useContext(MarketContext);
  const { items } = useAppSelector(selectCart);
  const { variesByPlace } = useContext(DeliveryContext);
  const place = usePlace();
  const delivery = useDelivery(place, items);
  useDiscount(place);
  const { options, arrival, subtotal, isFreeDelivery, shipping, total } = useAmounts(delivery);
  return (
    <>
      <dl className="grid grid-cols-2 gap-y-2">
        <dt>Subtotal</dt>
        <dd className="text-right font-semibold">{market.shopPrice(subtotal)}</dd>
        <dt>Total Items</dt>
        <dd className="text-right">{items.length}</dd>
      </dl>
      <div>
        <DiscountPanel />
        <BusinessPanel />
      </div>
      {options.length > 1 && <ShippingChoice delivery={delivery} />}
      {variesByPlace && <PlaceQuestion delivery={delivery} />}
      <DayChoiceIfOffered delivery={delivery} />
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-2 border-t border-line pt-4">
        <dt>Delivery</dt>
        <dd className="text-right">{shipping === 0 ? 'Free' : market.shopPrice(shipping)}</dd>
        {options.length === 1 && (
          <>
            <dt>Arrives</dt>
            <dd className="min-h-6 text-right">{arrival}</dd>
          </>
        )}
        <dt className="font-semibold">Total</dt>
        <dd className="text-right font-semibold">{market.shopPrice(total)}</dd>
      </dl>
      <DispatchDay intro="We’ll send everything together, from" delivery={delivery} />
      {!isFreeDelivery && <FreeDelivery subtotal={subtotal} delivery={delivery} />}
      <Instalments total={total} />
    </>
  );
}

interface SummaryProps {
  /** A line cannot be ordered. */
  isBlocked: boolean;
  onCardFailure: () => void;
}

/** The totals, and the two ways to check out (specification §2). */
export function CartSummary({ isBlocked, onCardFailure }: SummaryProps) {
  const { loading, error } = useAppSelector(selectCheckout);
  const user = useAppSelector(selectUserInfo);
  const { payByCard, payCash } = usePay(onCardFailure);
  return (
    <section aria-label="Summary" className="panel grid content-start gap-4 lg:sticky lg:top-32">
      <h2>Summary</h2>
      <Amounts />
      {error && <Alert>{error}</Alert>}
      {isBlocked && <p className="wrong">Please check the highlighted items first.</p>}
      <Button pending={loading} disabled={isBlocked} onClick={() => void payByCard()}>
        Checkout
      </Button>
      <Button look="secondary" disabled={isBlocked || loading} onClick={payCash}>
        Cash on delivery
      </Button>
      {!user && <p className="hint">Next: log in, or create an account in a minute. Your cart is safe.</p>}
      <PaymentMarks />
      <p className="hint">Checkout takes you to our payment provider’s secure page. We never see your card details.</p>
    </section>
  );
}
