import type { Placeholders } from './placeholders.ts';

interface MailKind {
  /** What the screen of the settings calls it. */
  label: string;
  /** What its texts can name besides `{shop}`. */
  placeholders: Placeholders;
  /** What always stands between the two texts. */
  between: string;
  subject: string;
  /** The default paragraphs before and after that, in Markdown. */
  before: string;
  after: string;
}

const reference = 'the reference of the order';
const pieces = 'the pieces, such as “1 × Alder Sofa”';
const toAddress = '“ to: ” and the delivery address, or “ to you”';

/** The mails to customers with their default texts. What the law or the order requires is not among these texts: it stands in every mail. */
export const MAILS = {
  orderPlaced: {
    label: 'Order confirmation',
    placeholders: { reference },
    between:
      'the pieces, the sums, delivery days, payment, the link to the order, and at the end the right to cancel, and to a new address a link that confirms it',
    subject: 'Thank you for your order {reference}',
    before: 'Thank you for your order. Here is what you ordered:',
    after:
      'Your order page shows the delivery address and the phone number that we will use.\n\nOrders are processed in 1-2 business days. You can cancel on your order page until we start to pack it.',
  },
  orderToPay: {
    label: 'Order by phone, to be paid',
    placeholders: { reference, amount: 'the total' },
    between: 'the pieces, the sums, delivery days, when it must be paid by, the link to pay it, and at the end the right to cancel',
    subject: 'Please pay {amount} for your order {reference}',
    before: 'Thank you for your order by phone. Here is what you ordered:',
    after: 'If this is not what we agreed, please call us.',
  },
  accountInvitation: {
    label: 'Account made for an order by phone',
    placeholders: {},
    between: 'the address of the account, and the link to choose a password',
    subject: 'Your account with {shop}',
    before:
      'We have made an account for the order that you placed by phone. With it you can see your order, follow its delivery and pay by card.',
    after: 'If you did not order anything, please let us know.',
  },
  correctionToPay: {
    label: 'Change of an order, to be paid',
    placeholders: { reference, amount: 'the difference' },
    between: 'what will be taken off and added, when the difference must be paid by, and the link to pay it',
    subject: 'Please pay {amount} for the change of your order {reference}',
    before: 'We have prepared the change of your order.',
    after: 'If this is not what we agreed, please call us.',
  },
  corrected: {
    label: 'Pieces of an order changed',
    placeholders: { reference },
    between: 'what was taken off and added, the refund or what the order costs now, the pieces, the sums and the link to the order',
    subject: 'Your order {reference} has changed',
    before: 'We have changed the pieces of your order.',
    after: 'If this is not what we agreed, please call us.',
  },
  deliveryChanged: {
    label: 'Delivery details changed',
    placeholders: { reference, what: 'what was changed, such as “the address and the phone number”' },
    between: 'the address, the delivery days and the link to the order',
    subject: 'New delivery details for your order {reference}',
    before: 'We have changed {what} for the delivery of your order.',
    after: 'If this is not what we agreed, please call us.',
  },
  dispatched: {
    label: 'Order dispatched',
    placeholders: { reference, toAddress },
    between: 'what the driver collects, the pieces, the carrier and the link to the parcel',
    subject: 'Your order {reference} is on its way',
    before: 'Your order has left our warehouse and is on its way{toAddress}.',
    after: '',
  },
  partDispatched: {
    label: 'Part of an order dispatched',
    placeholders: { reference, toAddress },
    between: 'whether more is to come, what the driver collects, the pieces, the carrier and the link to the parcel',
    subject: 'Part of your order {reference} is on its way',
    before: 'Part of your order has left our warehouse and is on its way{toAddress}.',
    after: '',
  },
  trackingAdded: {
    label: 'Tracking number added',
    placeholders: { reference, what: '“your order” or “part of your order”' },
    between: 'the pieces, the carrier and the link to the parcel',
    subject: 'Track your order {reference}',
    before: 'You can now track {what} to your door.',
    after: '',
  },
  deliveryFailed: {
    label: 'Delivery failed',
    placeholders: { reference, toAddress },
    between: 'the link to the order',
    subject: 'We could not deliver your order {reference}',
    before:
      'We tried to deliver your order{toAddress}, but could not complete the delivery.\n\nPlease call us to agree another day. If you no longer want your order, tell us then.',
    after: '',
  },
  delivered: {
    label: 'Order delivered',
    placeholders: { reference, toAddress },
    between: 'how long the customer has to change their mind, the pieces, the sums and the link to the order',
    subject: 'Your order {reference} was delivered',
    before: 'Your order has been delivered{toAddress}.\n\nIf it has not arrived, or something is wrong with it, please let us know.',
    after: '',
  },
  cancelled: {
    label: 'Order cancelled',
    placeholders: { reference, because: 'the reason, such as “, as you asked”; it may be empty' },
    between: 'the refund, or what the order costs now, and the link to the order',
    subject: 'Your order {reference} was cancelled',
    before: 'We have cancelled your order{because}.',
    after: '',
  },
  partCancelled: {
    label: 'Part of an order cancelled',
    placeholders: { reference, pieces, because: 'the reason, such as “, as you asked”; it may be empty' },
    between: 'the refund, or what the order costs now, and the link to the order',
    subject: 'Part of your order {reference} was cancelled',
    before: 'We have cancelled part of your order: {pieces}{because}.',
    after: '',
  },
  refunded: {
    label: 'Refund made',
    placeholders: { reference, amount: 'the sum', howPaid: '“ to the card or account that you paid with”, if it was paid that way' },
    between: 'when a refund to a card arrives, the reference and the sum',
    subject: 'Your refund for order {reference}',
    before: 'We have refunded {amount} of your order{howPaid}.',
    after: '',
  },
  refundEnded: {
    label: 'Refund that is not made',
    placeholders: { reference, amount: 'the sum' },
    between: 'what the order costs now, and the link to the order',
    subject: 'No refund for order {reference} for now',
    before:
      'We wrote to you that we are refunding {amount} of your order. Our record of your payment was wrong, so we do not refund it for now.',
    after: '',
  },
  writtenOff: {
    label: 'Rest of the price written off',
    placeholders: { reference, amount: 'the sum' },
    between: 'what the order costs now, and the link to the order',
    subject: 'Your order {reference} costs less',
    before: 'You no longer have to pay {amount} of your order.',
    after: '',
  },
  paymentRefunded: {
    label: 'Payment refunded, no order placed',
    placeholders: { reference, reason: 'why, such as “your order was paid twice”', amount: 'the sum, or “it in full”' },
    between: 'when it arrives, and the reference',
    subject: 'Your payment for order {reference} was refunded',
    before: 'We are sorry: {reason}. We have refunded {amount} to the card or account that you paid with.',
    after: '',
  },
  returnAsked: {
    label: 'Return requested',
    placeholders: { reference, pieces, how: 'who collects or sends what comes back' },
    between: 'the link to the order',
    subject: 'We have your request for a return, order {reference}',
    before:
      'You asked to return: {pieces}. Your request is in time, whatever day the pieces reach us.\n\nWe will reply by the next working day. {how} Please keep the packaging if you can.',
    after: '',
  },
  returnToPost: {
    label: 'Return approved, to be posted',
    placeholders: { reference, pieces },
    between: 'where to and by when, that the refund follows, your answer and the link to the order',
    subject: 'Send your return, order {reference}',
    before: 'We have approved the return of: {pieces}.',
    after: '',
  },
  returnToCollect: {
    label: 'Return approved, to be collected',
    placeholders: { reference, pieces },
    between: 'how to agree a day, that the refund follows, your answer and the link to the order',
    subject: 'We will collect your return, order {reference}',
    before: 'We have approved the return of: {pieces}.',
    after: '',
  },
  returnRefused: {
    label: 'Return refused',
    placeholders: { reference, pieces },
    between: 'your answer, the statutory rights and the link to the order',
    subject: 'About your return, order {reference}',
    before: 'We cannot accept the return of: {pieces}.',
    after: '',
  },
  returnWithdrawn: {
    label: 'Return cancelled',
    placeholders: { reference, pieces },
    between: 'the link to the order',
    subject: 'Your return was cancelled, order {reference}',
    before: 'You have cancelled the return of: {pieces}. There is nothing more you need to do.',
    after: '',
  },
  returnReceived: {
    label: 'Return received',
    placeholders: { reference, pieces },
    between: 'the refund, or what the order costs now, your answer and the link to the order',
    subject: 'Your return has arrived, order {reference}',
    before: 'We have received: {pieces}.',
    after: '',
  },
  reviewRequest: {
    label: 'Request for a review',
    placeholders: {},
    between: 'a link to each piece and to the order',
    subject: 'How do you like it?',
    before:
      'You have had your order for a little while now. What do you think of it? A few words or just a star rating will help other customers, and so will photos of it in your home.',
    after: 'You will need to log in, so that your review can be shown as a verified purchase.',
  },
  alertConfirmation: {
    label: 'Back in stock: confirm the address',
    placeholders: { product: 'the name of the product' },
    between: 'what we do with the address, and the link that confirms it',
    subject: 'Do you want to know when it is back in stock?',
    before: 'Somebody (we hope it was you) asked us to email this address when {product} is back in stock.',
    after: '',
  },
  backInStock: {
    label: 'Back in stock',
    placeholders: { product: 'the name of the product' },
    between: 'the link to the product',
    subject: 'It is back in stock',
    before: '{product} is back in stock. Other customers were waiting for it too, so it may sell quickly.',
    after: '',
  },
  resetCode: {
    label: 'Code for a new password',
    placeholders: {},
    between: 'the code and a link that does the same',
    subject: 'Your code for a new password',
    before: 'Here is the code for a new password. Enter it on the page where you asked for it:',
    after: 'It works for 10 minutes, as does the link. If you did not ask for it, please ignore this email: your password stays as it is.',
  },
  passwordChanged: {
    label: 'Password changed',
    placeholders: {},
    between: 'nothing',
    subject: 'Your password was changed',
    before:
      'The password of your account has just been changed, and other devices were logged out.\n\nIf this wasn’t you, reset your password straight away from the login page, and let us know.',
    after: '',
  },
  secondFactorOn: {
    label: 'Two-step login set up',
    placeholders: {},
    between: 'nothing',
    subject: 'Two-step login was set up',
    before:
      'From now on we will ask for a code from your authenticator app when you log in. Other devices were logged out.\n\nIf this wasn’t you, reset your password straight away from the login page, and let us know.',
    after: '',
  },
  secondFactorOff: {
    label: 'Two-step login switched off',
    placeholders: {},
    between: 'nothing',
    subject: 'Two-step login was switched off',
    before:
      'We no longer ask for a code from your authenticator app when you log in.\n\nIf this wasn’t you, reset your password straight away from the login page, and let us know.',
    after: '',
  },
  recoveryCodeUsed: {
    label: 'Recovery code used',
    placeholders: { left: 'how many codes are left' },
    between: 'nothing',
    subject: 'One of your recovery codes was used',
    before:
      'Somebody who knows your password used one of your recovery codes. You have {left} left.\n\nSet up two-step login again in your profile to get new ones. If this wasn’t you, reset your password straight away from the login page, and let us know.',
    after: '',
  },
  addressChanged: {
    label: 'Email address changed',
    placeholders: { fromTo: '“ from … to …”, if the address was confirmed' },
    between: 'nothing',
    subject: 'Your email address was changed',
    before: 'The email address of your account was changed{fromTo}.\n\nIf this wasn’t you, please let us know straight away.',
    after: '',
  },
  addressConfirmation: {
    label: 'Confirm an email address',
    placeholders: {},
    between: 'the link that confirms it',
    subject: 'Please confirm your email address',
    before:
      'This address was entered as the email address of an account with us. You can log in with it already.\n\nPlease log in and confirm that it is yours. Until you do, our emails leave out your name, your delivery address and your invoices, or still go to the account’s earlier address.',
    after: 'If this wasn’t you, please ignore this email.',
  },
  moreNews: {
    label: 'More news than emails in an hour',
    placeholders: {},
    between: 'the link to the orders',
    subject: 'There is more news about your orders',
    before:
      'A lot has happened to your orders within an hour. We have combined the further emails into this one: your orders show all of it.',
    after: '',
  },
} as const satisfies Record<string, MailKind>;

export type MailName = keyof typeof MAILS;
export const MAIL_NAMES = Object.keys(MAILS) as [MailName, ...MailName[]];

/** The values that a mail's texts can name. */
export type MailValues<N extends MailName> = Record<keyof (typeof MAILS)[N]['placeholders'], string>;

export type MailPart = 'subject' | 'before' | 'after';
export const MAIL_PARTS = { subject: 'Subject', before: 'Before', after: 'After' } as const satisfies Record<MailPart, string>;

/** The settings field of a part of a mail. An empty field has the default text. */
export const mailField = (name: MailName, part: MailPart): string => `${name}_${part}`;

/** The owner's texts by `mailField`. */
export type MailTexts = Readonly<Record<string, string>>;

/** A mail's texts: the owner's, or the default ones. */
export function textsOf(texts: MailTexts, name: MailName): Record<MailPart, string> {
  const { subject, before, after } = MAILS[name];
  const own = (part: MailPart) => texts[mailField(name, part)];
  return { subject: own('subject') || subject, before: own('before') || before, after: own('after') || after };
}

/** What a mail's texts can name, with its meaning. */
export const placeholdersOf = (name: MailName): Placeholders => ({ shop: 'the trading name', ...MAILS[name].placeholders });
