import type { RefundReason } from '#server/mail/order-mails.ts';
import { declareJobs, job } from '#server/platform/jobs/queue.ts';

/** One lane for all calls of the payment provider, so that while it hangs mails still have workers. */
export const PROVIDER_LANE = 'payment provider';

export const orderJobs = declareJobs({
  /** Of a whole payment of `amount` pence that cannot be used; `sendRefund` is for a refund of an order. Jobs of earlier versions have no amount. */
  refundPayment: job<{ orderId: string; paymentId: string; amount?: number | undefined; reason: RefundReason }>({
    label: 'Refund a card payment',
    lane: PROVIDER_LANE,
  }),
  sendRefund: job<{ refundId: string }>({ label: 'Send a refund to the payment provider', lane: PROVIDER_LANE }),
  expireHold: job<{ orderId: string }>({ label: 'Release the stock of an unpaid card checkout', lane: PROVIDER_LANE }),
  closeCorrection: job<{ correctionId: string; isClosing?: boolean }>({ label: 'End a correction that was not paid', lane: PROVIDER_LANE }),
  tellOfDelivery: job<{ orderId: string }>({ label: 'Tell a customer about a delivery' }),
  askForReviews: job<{ orderId: string }>({ label: 'Ask a customer for reviews' }),
  sumSales: job({ label: 'Add up sales', at: {} }),
  makeEventMonths: job({ label: 'Prepare the order history for the next months', at: { minute: 47 } }),
});
