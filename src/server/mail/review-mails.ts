import type { Order } from '#contract/orders/orders.ts';
import type { Mail } from '#server/gateways/mail.ts';
import { customerMail, type MailConfig, orderLink, toCustomer } from './layout.ts';

/** Pieces with a link of their own; the button leads to the whole order. */
const MOST_PIECES = 5;

/**
 * Asks for reviews some days after delivery, once per order. `token` unsubscribes the account without a log-in; it is in the URL's
 * fragment, which browsers send to no server.
 */
export function reviewRequestMail(config: MailConfig, order: Order, token: string): Mail {
  const { publicUrl } = config;
  const bought = order.orderItems.filter(({ qty, cancelledQty }) => cancelledQty < qty);
  const pieces = [...new Map(bought.map((item) => [item._id, item])).values()];
  return customerMail(
    config,
    'reviewRequest',
    {},
    {
      ...toCustomer(order),
      preheader: 'A few words help others choose.',
      links: pieces
        .slice(0, MOST_PIECES)
        .map(({ _id, name }) => ({ label: `Review ${name}`, url: `${publicUrl}/product/${_id}#write-review` })),
      link: orderLink(order, config),
      reason: 'We ask only once for each order.',
      stop: { label: 'Stop asking me for reviews', url: `${publicUrl}/#stop-review-mails=${token}` },
    },
  );
}
