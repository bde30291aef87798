import { useProof } from '#web/parts/use-proof.tsx';
import { useAppDispatch, useAppSelector } from '#web/state/store.ts';
import { request } from '#web/state/thunk.ts';
import { useAction } from '#web/state/use-action.ts';
import { selectUserInfo } from '#web/state/user.slice.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';

interface Purpose {
  endpoint:
    | 'POST /api/reviews/stop-mails'
    | 'POST /api/alerts/confirm'
    | 'POST /api/users/confirm-email'
    | 'POST /api/opening/mail-arrived'
    | 'POST /api/alerts/stop';
  title: string;
  text: string;
  action: string;
}

const PURPOSES: Record<string, Purpose> = {
  'stop-review-mails': {
    endpoint: 'POST /api/reviews/stop-mails',
    title: 'Stop emails about reviews?',
    text: 'We will not ask you again to review what you have bought. We will still email you about your orders.',
    action: 'Stop these emails',
  },
  'confirm-alert': {
    endpoint: 'POST /api/alerts/confirm',
    title: 'Tell you when it is back?',
    text: 'We will email you once, when this piece is back in stock, and then delete your address.',
    action: 'Yes, tell me',
  },
  'confirm-email': {
    endpoint: 'POST /api/users/confirm-email',
    title: 'Confirm your email address?',
    text: 'We will then send emails about your orders to this address, with your name, your delivery address and your invoices.',
    action: 'Yes, it is mine',
  },
  'mail-arrived': {
    endpoint: 'POST /api/opening/mail-arrived',
    title: 'The test email has arrived?',
    text: 'The shop’s settings will then show that its emails arrive.',
    action: 'Yes, it arrived',
  },
  'stop-alert': {
    endpoint: 'POST /api/alerts/stop',
    title: 'Delete your address?',
    text: 'We will delete your address and not email you about this piece.',
    action: 'Delete my address',
  },
};

interface MailDialogProps {
  purpose: string;
  token: string;
  onClose: () => void;
}

export function MailDialog({ purpose, token, onClose }: MailDialogProps) {
  const dispatch = useAppDispatch();
  const { run, pending, error, done } = useAction();
  const { prove, proofDialog } = useProof();
  const isLoggedIn = useAppSelector(selectUserInfo) !== null;
  const known = PURPOSES[purpose];
  if (!known) return null;
  const { endpoint, title, text, action } = known;
  // Staff confirm a changed address with their password.
  const act = () => run(purpose, async () => (await prove(() => dispatch(request(endpoint, { body: { token } })))).message);
  return (
    <Dialog open onClose={onClose} label={title}>
      <h2 className="pr-12">{title}</h2>
      {error && <Alert>{error}</Alert>}
      {/* The link is opened again after the login. */}
      {error && purpose === 'confirm-email' && !isLoggedIn && (
        <ButtonLink look="secondary" to="/login" className="mt-6">
          Log in
        </ButtonLink>
      )}
      {done ? (
        <>
          <Alert tone="good">{done}</Alert>
          <Button look="secondary" className="mt-6" onClick={onClose}>
            Close
          </Button>
        </>
      ) : (
        <>
          <p className="mt-2 text-soft">{text}</p>
          <Button className="mt-6" pending={pending !== ''} onClick={act}>
            {action}
          </Button>
        </>
      )}
      {proofDialog}
    </Dialog>
  );
}
