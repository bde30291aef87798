import { useEffect } from 'react';
import type { Session } from '#contract/accounts/users.ts';
import { PAYMENT_METHOD } from '#contract/orders/orders.ts';
import { readDraft } from '#web/browser/drafts.ts';
import { useLoaded } from '#web/state/use-loaded.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Button } from '#web/ui/button.tsx';
import { Link } from '#web/ui/link.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { ConfirmedOrder } from './confirmed-order.tsx';
import { usePayment } from './use-payment.ts';

function Waiting({ isLong, email }: { isLong: boolean; email: string }) {
  return (
    <>
      <Alert tone="note">
        {isLong
          ? `Your payment is taking longer than usual to confirm. You need not wait here: we will email ${email} as soon as it is confirmed. Please do not pay again.`
          : 'We are confirming your payment. This takes a few seconds.'}
      </Alert>
      <Skeleton label="Confirming your payment" shapes={['h-40 w-full']} />
    </>
  );
}

function PaymentOf({ id, email }: { id: string; email: string }) {
  const { payment, isLong, hasStopped, askAgain } = usePayment(id);
  if (payment?.state === 'settled' && payment.order) return <ConfirmedOrder order={payment.order} />;
  if (payment?.state === 'refunded')
    return (
      <Alert>We are sorry: we could not place this order, and your payment is being refunded. We have emailed {email} to say why.</Alert>
    );
  // It has ended without a payment.
  if (payment)
    return (
      <Alert>
        No payment has reached us for this order, and its products are no longer reserved. If you have paid, we will email {email}.
      </Alert>
    );
  if (!hasStopped) return <Waiting isLong={isLong} email={email} />;
  return (
    <>
      <Alert tone="note">Your payment is not confirmed yet. We will email {email} as soon as it is. Please do not pay again.</Alert>
      <Button look="secondary" onClick={askAgain}>
        Check again
      </Button>
    </>
  );
}

const ASK_MS = 3_000;
/** An older payment is not the one that the visitor comes from. */
const LATEST_MS = 60 * 60_000;

/** The account's latest paid order, for a return in another tab or browser, such as after the bank's app; polls, since its payment may take a moment. */
function LatestPaid({ email }: { email: string }) {
  const { value, reload } = useLoaded('GET /api/orders/myorders', { query: {} });
  const latest = value?.orders.find(
    ({ paymentMethod, paidAt }) => paymentMethod === PAYMENT_METHOD.card && Date.parse(paidAt ?? '') > Date.now() - LATEST_MS,
  );
  useEffect(() => {
    if (latest) return;
    const timer = setInterval(reload, ASK_MS);
    const end = setTimeout(() => clearInterval(timer), 10 * ASK_MS);
    return () => [timer, end].forEach(clearTimeout);
  }, [latest, reload]);
  if (latest) return <PaymentOf id={latest._id} email={email} />;
  return (
    <p className="text-center">
      <Link to="/orders" className="link">
        See your orders
      </Link>
    </p>
  );
}

/** The order just paid by card, once its payment is settled. */
export function PaidOrder({ user: { _id, email } }: { user: Session }) {
  const { id } = readDraft('payingOrder', _id);
  return (
    <div className="mt-4 grid w-full max-w-4xl grid-cols-1 gap-4">
      {id ? <PaymentOf id={id} email={email} /> : <LatestPaid email={email} />}
    </div>
  );
}
