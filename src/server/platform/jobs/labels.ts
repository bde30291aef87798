import type { Jobs } from './queue.ts';

const LABELS: Record<keyof Jobs, string> = {
  sendMail: 'Send an email',
  mailOtp: 'Email a code for a new password',
  refundPayment: 'Refund a card payment',
  sendRefund: 'Send a refund to the payment provider',
  expireHold: 'Release the stock of an unpaid card checkout',
  closeCorrection: 'End a correction that was not paid',
  reconcilePayments: 'Compare card payments with the provider',
  reconcileOutcomes: 'Compare refunds and disputes with the provider',
  checkBooks: 'Compare the books with the payment provider',
  tellOfBook: 'Send the morning book to staff',
  makeWidths: 'Make the sizes of a picture',
  showProduct: 'Make a scheduled product live',
  fetchPicture: 'Fetch a picture from its address',
  removeOrphanedPictures: 'Delete pictures that nothing uses',
  removePictures: 'Delete the pictures of a review',
  removeExpired: 'Delete old data',
  deriveAttributes: 'Work out colours and materials for the filters',
  askForReviews: 'Ask a customer for reviews',
  tellOfParcel: 'Tell a customer about a parcel',
  tellOfDelivery: 'Tell a customer about a delivery',
  confirmAlert: 'Ask a customer to confirm a stock alert',
  tellOfReturns: 'Tell customers that a product is back',
  sumSales: 'Add up sales',
  makeEventMonths: 'Prepare the order history for the next months',
  sendStaffNotices: 'Send notices to staff',
  packWebhook: 'Prepare a message to a webhook',
  sendWebhook: 'Send a message to a webhook',
};

/** A job's name for people. Jobs of other versions keep their own name. */
export const jobLabel = (name: string): string => (LABELS as Record<string, string>)[name] ?? name;
