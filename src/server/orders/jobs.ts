import type { RefundReason } from '#server/mail/order-mails.ts';
import { declareJobs } from '#server/platform/jobs/queue.ts';

/** One lane for all calls of the payment provider, so that while it hangs mails still have workers. */
export const PROVIDER_LANE = 'payment provider';

export const orderJobs = declareJobs<{
  /** Of a whole payment that cannot be used; `sendRefund` is for a refund of an order. */
  refundPayment: { orderId: string; paymentId: string; reason: RefundReason };
  sendRefund: { refundId: string };
  expireHold: { orderId: string };
  closeCorrection: { correctionId: string };
  tellOfDelivery: { orderId: string };
  askForReviews: { orderId: string };
  sumSales: Record<string, never>;
  makeEventMonths: Record<string, never>;
}>({
  refundPayment: { label: 'Refund a card payment', lane: PROVIDER_LANE },
  sendRefund: { label: 'Send a refund to the payment provider', lane: PROVIDER_LANE },
  expireHold: { label: 'Release the stock of an unpaid card checkout', lane: PROVIDER_LANE },
  closeCorrection: { label: 'End a correction that was not paid', lane: PROVIDER_LANE },
  tellOfDelivery: { label: 'Tell a customer about a delivery' },
  askForReviews: { label: 'Ask a customer for reviews' },
  sumSales: { label: 'Add up sales', at: {} },
  makeEventMonths: { label: 'Prepare the order history for the next months', at: { minute: 47 } },
});
