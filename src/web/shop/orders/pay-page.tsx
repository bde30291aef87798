import { useEffect } from 'react';
import { useParams, useSearchParams } from 'react-router';
import { pounds } from '#contract/market/money.ts';
import type { PaymentLink } from '#contract/orders/orders.ts';
import { momentText, payByText } from '#contract/orders/pay-by.ts';
import { Meta } from '#web/parts/meta.tsx';
import { useAppDispatch } from '#web/state/store.ts';
import { request } from '#web/state/thunk.ts';
import { useAction } from '#web/state/use-action.ts';
import { useLoaded } from '#web/state/use-loaded.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Button } from '#web/ui/button.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';

/** Polling interval for the payment's confirmation. */
const ASK_MS = 2_000;

function OpenLink({ token, link }: { token: string; link: PaymentLink }) {
  const { amount, payUntil } = link;
  const dispatch = useAppDispatch();
  const { run, pending, error } = useAction();
  const pay = () =>
    run('pay', async () => {
      const { url } = await dispatch(request('POST /api/payment-links/:id', { params: { id: token } }));
      window.location.assign(url);
    });
  return (
    <>
      <p>{link.isWhole ? payByText(link) : `Please pay the difference by ${momentText(payUntil)}. Until then the order stays as it is.`}</p>
      <p className="wrap-anywhere">{link.isWhole ? link.pieces : `To be added: ${link.pieces}`}</p>
      <p className="text-title font-semibold">{pounds(amount)}</p>
      {error && <Alert>{error}</Alert>}
      <Button pending={pending !== ''} onClick={pay}>
        Pay {pounds(amount)}
      </Button>
      <p className="hint">You pay by card on the page of our payment provider, without a password of this shop.</p>
    </>
  );
}

/** Target of the payment link in a mail (§20.18). Anybody who has the mail can pay. */
export function Component() {
  const { token = '' } = useParams();
  const [search] = useSearchParams();
  const { value: link, error, reload } = useLoaded('GET /api/payment-links/:id', { params: { id: token } });
  // Back from the provider, whose webhook may take a moment.
  const isWaiting = search.has('paid') && link?.state === 'open';
  useEffect(() => {
    if (!isWaiting) return;
    const timer = setInterval(() => void reload(), ASK_MS);
    return () => clearInterval(timer);
  }, [isWaiting, reload]);
  return (
    <main id="main" className="container-page grid max-w-prose content-start gap-5 py-section">
      <Meta title="Pay for an order" noindex />
      <h1>{link ? `Order ${link.reference}` : 'Pay for an order'}</h1>
      {error && <Alert>{error}</Alert>}
      {!link && !error && <Skeleton label="Loading what is to be paid" />}
      {isWaiting && <p role="status">Thank you. We are waiting for the payment provider; this takes a moment.</p>}
      {link?.state === 'open' && !isWaiting && <OpenLink token={token} link={link} />}
      {link?.state === 'paid' && (
        <Alert tone="good">Thank you: {pounds(link.amount)} is paid. A confirmation is on its way by email.</Alert>
      )}
      {link?.state === 'ended' && <p>There is nothing to pay by this link any more. If you have a question, please contact us.</p>}
    </main>
  );
}
