import type { Order } from '#contract/orders/orders.ts';
import type { Return } from '#contract/returns/returns.schema.ts';
import type { MailName } from '#contract/settings/mail-texts.ts';
import type { Mail } from '#server/gateways/mail.ts';
import {
  addressChangedMail,
  confirmAddressMail,
  invitationMail,
  moreNewsMail,
  otpMail,
  passwordChangedMail,
  recoveryCodeUsedMail,
  secondFactorMail,
} from './account-mails.ts';
import { alertConfirmationMail, backInStockMail } from './alert-mails.ts';
import type { MailConfig } from './layout.ts';
import {
  deliveryChangedMail,
  deliveryFailedMail,
  differenceMail,
  orderCancelledMail,
  orderConfirmation,
  orderCorrectedMail,
  orderDeliveredMail,
  orderRefundedMail,
  orderToPayMail,
  paymentRefunded,
  refundEndedMail,
  writtenOffMail,
} from './order-mails.ts';
import { orderDispatchedMail } from './parcel-mails.ts';
import { returnAskedMail, returnDecisionMail, returnReceivedMail, returnWithdrawnMail } from './return-mails.ts';
import { reviewRequestMail } from './review-mails.ts';

const PLACED = '2026-03-02T10:30:00.000Z';
const PLAIN = {
  cancelledQty: 0,
  returnedQty: 0,
  spoiledQty: 0,
  refundedQty: 0,
  partialRefund: 0,
  image: '',
  discount: 0,
  isColourOpen: false,
  sku: '',
};

/** A typical order. */
const ORDER: Order = {
  _id: '01890000-0000-7000-8000-000000000001',
  reference: 'K7MX-4QPD',
  createdAt: PLACED,
  user: { _id: '01890000-0000-7000-8000-000000000002', name: 'Nia Evans', email: 'nia@example.com' },
  orderItems: [
    {
      ...PLAIN,
      _id: 'sofa',
      name: 'Alder Sofa',
      qty: 1,
      price: 129_900,
      size: 'Three-seat',
      color: '#54624c',
      colourName: 'Moss',
    },
    {
      ...PLAIN,
      _id: 'lamp',
      name: 'Brass Lamp',
      qty: 2,
      price: 8_900,
      size: null,
      color: null,
      colourName: null,
    },
  ],
  shippingAddress: {
    line1: '1 High Street',
    line2: '',
    city: 'Leeds',
    state: 'Yorkshire',
    postalCode: 'LS1 4AP',
    country: 'United Kingdom',
  },
  fullName: 'Nia Evans',
  email: 'nia@example.com',
  phone: '07700900123',
  subTotalPrice: 147_700,
  discount: 0,
  discounts: [],
  shippingPrice: 0,
  taxPrice: 0,
  totalPrice: 147_700,
  shippingMethod: 'standard',
  business: null,
  deliveryNote: '',
  shippingLabel: 'Standard delivery',
  deliveryWindow: { from: '2026-03-09', to: '2026-03-12' },
  isDayChosen: false,
  paymentMethod: 'Credit Card',
  orderPaymentID: null,
  isPaid: true,
  paidAt: PLACED,
  isDelivered: false,
  status: 'placed',
  deliveryOff: 0,
  waivedPrice: 0,
  writtenOffPrice: 0,
  refundedPrice: 0,
  amountDue: 0,
  awaitsApproval: false,
  refunds: [],
  overpayments: [],
  parcels: [],
  uncollected: 0,
  toReceive: 0,
  receivedBy: null,
  invoices: [],
  returns: [],
  carriedByTwo: [],
  returnUntil: null,
  correction: null,
  payUntil: null,
  revision: 0,
  can: [],
  isReturnable: false,
  isCancellable: false,
  isCancellableByShop: false,
  refundable: 0,
  owedPrice: 0,
  heldPrice: 0,
  writtenOff: 0,
  keptPrice: 0,
  dispatchedAt: null,
  isRefunded: false,
  isRefundDue: false,
  deliveredAt: null,
  events: [],
};

const PARCEL = {
  _id: 'parcel',
  sentAt: PLACED,
  status: 'sent' as const,
  carrier: 'other',
  carrierName: 'Two-man delivery',
  trackingNumber: 'AB123456789GB',
  trackingLink: '',
  trackingUrl: '',
  expectedOn: '2026-03-10',
  pieces: [{ line: 0, qty: 1 }],
  amountDue: 0,
};

const RETURN: Return = {
  _id: 'return',
  askedAt: PLACED,
  status: 'approved',
  reason: 'It does not fit',
  note: '',
  answer: '',
  sendBy: '2026-03-30',
  receivedAt: null,
  pieces: [{ line: 1, qty: 1, restockedQty: 0, spoiledQty: 0 }],
};

const PIECES = '1 × Brass Lamp';
const PERSON = { name: 'Nia Evans', email: 'nia@example.com' };
const PRODUCT = { _id: 'sofa', name: 'Alder Sofa' };
const CANCELLED = { pieces: '', cancelled: [{ line: 0, qty: 1 }], because: 'as you asked', refund: 8_900, byCard: true, isDisputed: false };
const ARRIVED = { text: PIECES, amount: 8_900, isPaid: true, byCard: true, isDisputed: false, answer: '' };
const TOKEN = 'example';

/** An example of each mail to customers, for the settings' previews. */
export const SAMPLES: Readonly<Record<MailName, (config: MailConfig) => Mail>> = {
  orderPlaced: (config) => orderConfirmation(config, ORDER),
  orderToPay: (config) =>
    orderToPayMail(
      config,
      { ...ORDER, isPaid: false, paidAt: null, paymentMethod: 'Online Payment' },
      { payUntil: '2026-03-04T10:30:00.000Z', token: TOKEN },
    ),
  accountInvitation: (config) => invitationMail(config, ORDER.user.email),
  correctionToPay: (config) =>
    differenceMail(config, ORDER, {
      token: TOKEN,
      takenOff: '1 × Alder Sofa (Two-seat)',
      added: '1 × Alder Sofa (Three-seat)',
      difference: 20_000,
      payUntil: '2026-03-04T10:30:00.000Z',
    }),
  corrected: (config) =>
    orderCorrectedMail(config, ORDER, {
      takenOff: '1 × Alder Sofa (Two-seat)',
      added: '1 × Alder Sofa (Three-seat)',
      refund: 0,
      byCard: true,
    }),
  deliveryChanged: (config) => deliveryChangedMail(config, ORDER, 'the address and the phone number'),
  dispatched: (config) => orderDispatchedMail(config, ORDER, { parcel: PARCEL, isPart: false, isLast: true, isAgain: false }),
  partDispatched: (config) => orderDispatchedMail(config, ORDER, { parcel: PARCEL, isPart: true, isLast: false, isAgain: false }),
  trackingAdded: (config) => orderDispatchedMail(config, ORDER, { parcel: PARCEL, isPart: false, isLast: true, isAgain: true }),
  deliveryFailed: (config) => deliveryFailedMail(config, ORDER),
  delivered: (config) => orderDeliveredMail(config, ORDER),
  cancelled: (config) => orderCancelledMail(config, ORDER, CANCELLED),
  partCancelled: (config) => orderCancelledMail(config, ORDER, { ...CANCELLED, pieces: PIECES }),
  refunded: (config) => orderRefundedMail(config, ORDER, 8_900, true),
  refundEnded: (config) => refundEndedMail(config, ORDER, 8_900, 0),
  writtenOff: (config) => writtenOffMail(config, ORDER, 8_900),
  paymentRefunded: (config) => paymentRefunded(config, ORDER, 'sold'),
  returnAsked: (config) => returnAskedMail(config, ORDER, PIECES),
  returnToPost: (config) => returnDecisionMail(config, ORDER, RETURN),
  returnToCollect: (config) => returnDecisionMail(config, ORDER, { ...RETURN, sendBy: null }),
  returnRefused: (config) => returnDecisionMail(config, ORDER, { ...RETURN, status: 'refused', answer: 'It shows signs of use.' }),
  returnWithdrawn: (config) => returnWithdrawnMail(config, ORDER, PIECES),
  returnReceived: (config) => returnReceivedMail(config, ORDER, ARRIVED),
  reviewRequest: (config) => reviewRequestMail(config, ORDER, TOKEN),
  alertConfirmation: (config) => alertConfirmationMail(config, PERSON.email, PRODUCT, TOKEN),
  backInStock: (config) => backInStockMail(config, PERSON.email, PRODUCT),
  resetCode: (config) =>
    otpMail(config, { to: PERSON.email, email: PERSON.email }, { otp: '123456', link: 'abcdefghijklmnopqrstuvwxyzabcdefghijklmnop' }),
  passwordChanged: (config) => passwordChangedMail(config, PERSON),
  secondFactorOn: (config) => secondFactorMail(config, PERSON, 'set up'),
  secondFactorOff: (config) => secondFactorMail(config, PERSON, 'switched off'),
  recoveryCodeUsed: (config) => recoveryCodeUsedMail(config, PERSON, 7),
  addressChanged: (config) => addressChangedMail(config, PERSON.email, 'nia.evans@example.com'),
  addressConfirmation: (config) => confirmAddressMail(config, PERSON.email, TOKEN),
  moreNews: (config) => moreNewsMail(config, PERSON.email),
};
