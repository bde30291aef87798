import type { Order } from '#contract/orders/orders.ts';
import type { Mail } from '#server/gateways/mail.ts';
import { mailOf, orderLink, toCustomer } from './layout.ts';

/** Pieces with a link of their own; the button leads to the whole order. */
const MOST_PIECES = 5;

/**
 * Asks for reviews some days after delivery, once per order. `token` unsubscribes the account without a log-in; it is in the URL's
 * fragment, which browsers send to no server.
 */
export function reviewRequestMail(order: Order, publicUrl: string, token: string): Mail {
  const bought = order.orderItems.filter(({ qty, cancelledQty }) => cancelledQty < qty);
  const pieces = [...new Map(bought.map((item) => [item._id, item])).values()];
  return mailOf({
    ...toCustomer(order),
    subject: 'How do you like it?',
    preheader: 'A few words help others choose.',
    paragraphs: [
      'You have had your order for a little while now. What do you think of it? A few words or just a star rating will help other customers, and so will photos of it in your home.',
    ],
    links: pieces
      .slice(0, MOST_PIECES)
      .map(({ _id, name }) => ({ label: `Review ${name}`, url: `${publicUrl}/product/${_id}#write-review` })),
    link: orderLink(order, publicUrl),
    closing: ['You will need to log in, so that your review can be shown as a verified purchase.'],
    reason: 'We ask only once for each order.',
    stop: { label: 'Stop asking me for reviews', url: `${publicUrl}/#stop-review-mails=${token}` },
  });
}
