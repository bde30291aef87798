import type { Mail } from '#server/gateways/mail.ts';
import { mailOf } from './layout.ts';

interface Piece {
  _id: string;
  name: string;
}

/**
 * Double opt-in for a back-in-stock mail. It names only the piece, so its sender cannot write to a stranger. `token` is in the URL's
 * fragment, which browsers send to no server.
 */
export function alertConfirmationMail(to: string, { _id, name }: Piece, publicUrl: string, token: string): Mail {
  return mailOf({
    to,
    subject: 'Do you want to know when it is back in stock?',
    preheader: `Please confirm that you want an email when ${name} is back.`,
    greeting: 'Hello,',
    paragraphs: [
      `Somebody (we hope it was you) asked us to email this address when ${name} is back in stock.`,
      'Please confirm that it was you. We will then send you one email and delete your address; we keep it for six months at most. If you do not confirm, we will not email you again and will delete your address within a week.',
    ],
    link: { label: 'Yes, tell me', url: `${publicUrl}/product/${_id}#confirm-alert=${token}` },
    reason: 'If you did not ask for this, ignore it, or',
    stop: { label: 'delete my address now', url: `${publicUrl}/product/${_id}#stop-alert=${token}` },
  });
}

/** The one mail that a confirmed alert sends. */
export function backInStockMail(to: string, { _id, name }: Piece, publicUrl: string): Mail {
  return mailOf({
    to,
    subject: 'It is back in stock',
    preheader: `You can order ${name} again.`,
    greeting: 'Hello,',
    paragraphs: [`${name} is back in stock. Other customers were waiting for it too, so it may sell quickly.`],
    link: { label: 'See it', url: `${publicUrl}/product/${_id}` },
    reason: 'You asked us to let you know. We have deleted your address and will not email you about this piece again.',
  });
}
