import { useState } from 'react';
import { shopTime } from '#contract/market/shop-time.ts';
import type { OrderMails as SentMails } from '#contract/orders/order-mails.schema.ts';
import { MailText } from '#web/admin/mail-text.tsx';
import { Panel } from '#web/parts/panel.tsx';
import { useAppDispatch } from '#web/state/store.ts';
import { request } from '#web/state/thunk.ts';
import { useAction } from '#web/state/use-action.ts';
import { useLoaded } from '#web/state/use-loaded.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';

type MailHead = SentMails['mails'][number];

interface OrderMailsProps {
  orderId: string;
  /** Called after an email was sent again: the order's timeline has a new entry. */
  onSent: () => Promise<void>;
}

/** The emails sent to the customer about an order. */
export function OrderMails({ orderId, onSent }: OrderMailsProps) {
  const { value, error, reload } = useLoaded('GET /api/office/orders/:id/mails', { params: { id: orderId } });
  const [shownMail, setShownMail] = useState<MailHead>();
  const mails = value?.mails ?? [];
  return (
    <Panel title="Emails" className="gap-3 print:hidden">
      {error && <Alert>{error}</Alert>}
      {value && mails.length === 0 && <p className="text-soft">No emails have been sent yet, or they are no longer kept.</p>}
      {mails.length > 0 && (
        <ul className="grid gap-3">
          {mails.map((mail) => (
            <li key={mail._id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 border-l-2 border-line pl-4">
              <span className="min-w-0">
                <span className="block wrap-anywhere">{mail.subject}</span>
                <span className="text-sm text-soft wrap-anywhere">
                  <time dateTime={mail.sentAt}>{shopTime(mail.sentAt)}</time>, to {mail.to}
                </span>
              </span>
              <Button
                look="quiet"
                aria-haspopup="dialog"
                aria-label={`Show the email “${mail.subject}”`}
                onClick={() => setShownMail(mail)}
              >
                Show
              </Button>
            </li>
          ))}
        </ul>
      )}
      <Dialog open={shownMail !== undefined} onClose={() => setShownMail(undefined)} label="Email">
        {shownMail && (
          <MailDialog
            head={shownMail}
            onSent={async () => {
              await reload();
              await onSent();
            }}
          />
        )}
      </Dialog>
    </Panel>
  );
}

function MailDialog({ head, onSent }: { head: MailHead; onSent: () => Promise<void> }) {
  const dispatch = useAppDispatch();
  const { value: mail, error } = useLoaded('GET /api/office/mails/:id', { params: { id: head._id } });
  const { run, pending, error: sendError, done } = useAction();
  const sendAgain = () =>
    run('send', async () => {
      const { message } = await dispatch(request('POST /api/office/mails/:id/send', { params: { id: head._id } }));
      await onSent();
      return message;
    });
  return (
    <div className="grid gap-4">
      <h2 className="pr-12">{head.subject}</h2>
      <p className="text-sm text-soft wrap-anywhere">
        {shopTime(head.sentAt)}, to {head.to}
      </p>
      {(error || sendError) && <Alert>{error || sendError}</Alert>}
      {done && <Alert tone="good">{done}</Alert>}
      {mail && mail.documents.length > 0 && (
        <p className="text-sm">Attached: {mail.documents.map(({ number }) => `${number}.pdf`).join(', ')}</p>
      )}
      {mail && <MailText html={mail.html} text={mail.text} />}
      <Button className="justify-self-start" pending={pending !== ''} onClick={sendAgain}>
        Send it again
      </Button>
    </div>
  );
}
