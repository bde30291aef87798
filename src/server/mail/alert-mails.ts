import type { Mail } from '#server/gateways/mail.ts';
import { mailOf } from './layout.ts';

interface Piece {
  _id: string;
  name: string;
}

/**
 * Asks the owner of an address whether they want to hear when a piece is back. Whoever typed the address can say nothing in it: it names the
 * piece and nothing else. `token` stands behind the `#`, which browsers send to no server.
 */
export function alertConfirmationMail(to: string, { _id, name }: Piece, publicUrl: string, token: string): Mail {
  return mailOf({
    to,
    subject: 'Shall we tell you when it is back?',
    preheader: `Please confirm that you want to hear when ${name} is back.`,
    greeting: 'Hello,',
    paragraphs: [
      `Somebody, we hope you, asked us to write to this address when ${name} is back in stock.`,
      'Please confirm it. We will then send one mail and forget the address; we keep it for half a year at most. Without your confirmation nothing happens, and it is forgotten within a week.',
    ],
    link: { label: 'Yes, tell me', url: `${publicUrl}/product/${_id}#confirm-alert=${token}` },
    reason: 'You did not ask for this? Ignore it, or',
    stop: { label: 'forget my address now', url: `${publicUrl}/product/${_id}#stop-alert=${token}` },
  });
}

/** The one mail that was asked for. */
export function backInStockMail(to: string, { _id, name }: Piece, publicUrl: string): Mail {
  return mailOf({
    to,
    subject: 'It is back in stock',
    preheader: `${name} can be ordered again.`,
    greeting: 'Hello,',
    paragraphs: [`${name} is back in stock. Others wait for it too, so it may not last long.`],
    link: { label: 'See it', url: `${publicUrl}/product/${_id}` },
    reason: 'You asked us to tell you. This was the one mail: we have forgotten your address and will not write about this piece again.',
  });
}
