import type { Mail } from '#server/gateways/mail.ts';
import { customerMail, type MailConfig } from './layout.ts';

interface Piece {
  _id: string;
  name: string;
}

/**
 * Double opt-in for a back-in-stock mail. It names only the piece, so its sender cannot write to a stranger. `token` is in the URL's
 * fragment, which browsers send to no server.
 */
export function alertConfirmationMail(config: MailConfig, to: string, { _id, name }: Piece, token: string): Mail {
  const page = `${config.publicUrl}/product/${_id}`;
  return customerMail(
    config,
    'alertConfirmation',
    { product: name },
    {
      to,
      preheader: `Please confirm that you want an email when ${name} is back.`,
      greeting: 'Hello,',
      paragraphs: [
        'Please confirm that it was you. We will then send you one email and delete your address; we keep it for six months at most. If you do not confirm, we will not email you again and will delete your address within a week.',
      ],
      link: { label: 'Yes, tell me', url: `${page}#confirm-alert=${token}` },
      reason: 'If you did not ask for this, ignore it, or',
      stop: { label: 'delete my address now', url: `${page}#stop-alert=${token}` },
    },
  );
}

/** The one mail that a confirmed alert sends. */
export function backInStockMail(config: MailConfig, to: string, { _id, name }: Piece): Mail {
  return customerMail(
    config,
    'backInStock',
    { product: name },
    {
      to,
      preheader: `You can order ${name} again.`,
      greeting: 'Hello,',
      link: { label: 'See it', url: `${config.publicUrl}/product/${_id}` },
      reason: 'You asked us to let you know. We have deleted your address and will not email you about this piece again.',
    },
  );
}
