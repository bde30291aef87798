import { expect, test } from 'vitest';
import type { Order } from '#contract/orders/orders.ts';
import { readConfig } from '#server/platform/settings/config.ts';
import { addressChangedMail, confirmAddressMail, moreNewsMail, otpMail, passwordChangedMail } from './account-mails.ts';
import type { MailConfig } from './layout.ts';
import {
  orderCancelledMail,
  orderConfirmation,
  orderDeliveredMail,
  orderRefundedMail,
  paymentRefunded,
  refundEndedMail,
  writtenOffMail,
} from './order-mails.ts';

const order: Order = {
  _id: '01890000-0000-7000-8000-0000abcd1234',
  reference: 'K7MX-4QPD',
  createdAt: '2026-01-02T03:04:05.000Z',
  user: { _id: 'u', name: 'Nia Oak', email: 'nia@example.com' },
  orderItems: [
    {
      _id: 'p',
      name: 'Alder Sofa',
      image: '',
      qty: 2,
      price: 49_999,
      discount: 0,
      size: 'Large',
      color: '#aabbcc',
      colourName: 'Moss',
      isColourOpen: false,
      sku: '',
      cancelledQty: 0,
      returnedQty: 0,
      spoiledQty: 0,
      refundedQty: 0,
      partialRefund: 0,
    },
    {
      _id: 'q',
      name: 'Lamp',
      image: '',
      qty: 1,
      price: 1,
      discount: 0,
      size: null,
      color: null,
      colourName: null,
      isColourOpen: true,
      sku: '',
      cancelledQty: 0,
      returnedQty: 0,
      spoiledQty: 0,
      refundedQty: 0,
      partialRefund: 0,
    },
  ],
  shippingAddress: { line1: '1 High Street', line2: '', city: 'Leeds', state: '', postalCode: 'LS1 4AP', country: 'United Kingdom' },
  fullName: 'Nia B. Oak',
  email: 'elsewhere@example.com',
  phone: '07700900123',
  subTotalPrice: 99_999,
  discount: 0,
  discounts: [],
  shippingPrice: 0,
  deliveryOff: 0,
  taxPrice: 0,
  totalPrice: 99_999,
  shippingMethod: 'standard',
  business: null,
  deliveryNote: '',
  shippingLabel: 'Standard delivery',
  deliveryWindow: { from: '2026-01-12', to: '2026-01-15' },
  isDayChosen: false,
  paymentMethod: 'Cash on Delivery',
  orderPaymentID: 'COD',
  isPaid: false,
  paidAt: null,
  isDelivered: false,
  status: 'placed',
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
const config: MailConfig = { ...readConfig({}), publicUrl: 'https://shop.example' };
const nia = { name: 'Nia', email: 'nia@example.com' };
const HOSTILE = `"><img src=x onerror=alert(1)>'&<script>alert(2)</script>`;

test.each([
  [
    'a code',
    otpMail(config, { to: nia.email, email: nia.email }, { otp: '012345', link: 'abcdefghijkl' }),
    ['Hello,', '012345', '10 minutes', 'change-password#email=nia%40example.com', 'otp=abcdefghijkl', 'your password stays as it is'],
  ],
  [
    'an address to confirm',
    confirmAddressMail(config, nia.email, 'abcdefghijkl'),
    ['Hello,', 'https://shop.example/#confirm-email=abcdefghijkl'],
  ],
  ['more news than mails', moreNewsMail(config, nia.email), ['Hello,', 'combined', 'https://shop.example/orders']],
  ['a new password', passwordChangedMail(config, nia), ['Hello Nia,', 'has just been changed', 'other devices were logged out']],
  ['a new address', addressChangedMail(config, 'old@example.com', 'new@example.com'), ['Hello,', 'from old@example.com to new@']],
  [
    'an order',
    orderConfirmation(config, order),
    [
      ...['Hello,', 'K7MX-4QPD', 'Alder Sofa', 'Size: Large, colour: Moss', '2 × £499.99', '£999.98', '£0.01', '£999.99'],
      ...['Cash on Delivery', '£999.99 in cash, when it is delivered'],
      ...['14 days to change your mind, for any reason', 'https://shop.example/refund-policy?at='],
      ...['Mon\u00a012\u00a0Jan – Thu\u00a015\u00a0Jan', 'Fri\u00a02\u00a0Jan'],
    ],
  ],
  ['a delivery', orderDeliveredMail(config, order), ['Hello Nia B. Oak,', 'delivered to', 'LS1 4AP', '14 days from the day of delivery']],
  ['a refund', paymentRefunded(config, order, 'sold'), ['what you chose had been sold', 'refunded £999.99', '5-10 business days']],
  [
    'a refund for an address',
    paymentRefunded(config, order, 'place'),
    ['we do not deliver to the address that you gave', 'refunded £999.99', '5-10 business days'],
  ],
  [
    'a refund of another amount',
    paymentRefunded(config, order, 'amount'),
    ['did not match the price of your order', 'refunded it in full'],
  ],
])('the mail about %s says in both parts what it must (§15.1)', (_, mail, sentences) => {
  const html = mail.html.replace(/&#(\d+);/g, (__, code) => String.fromCharCode(Number(code)));
  for (const sentence of sentences) {
    expect(mail.text).toContain(sentence);
    expect(html).toContain(sentence);
  }
  expect(html).toContain('{{shop}}');
  expect(mail.subject).not.toMatch(/012345/);
});

test('the mails about a refund, one that ended, and what was written off lead to the order', () => {
  const mails = [
    orderRefundedMail(config, order, 10_000, true),
    paymentRefunded(config, order, 'sold'),
    refundEndedMail(config, order, 10_000, 0),
    writtenOffMail(config, order, 10_000),
  ];
  for (const { text } of mails) expect(text).toMatch(/See your order:? *\n?https:\/\/shop\.example\/order\/01890000/);
});

test('an order’s mails go to the account’s address, whatever address was given with the order', () => {
  for (const mail of [orderConfirmation(config, order), orderDeliveredMail(config, order), paymentRefunded(config, order, 'sold')])
    expect(mail.to).toBe('nia@example.com');
  expect(orderDeliveredMail(config, { ...order, fullName: '' }).text).toContain('Hello Nia Oak,');
});

test('a delivery’s mail adds up: cancelled pieces are listed as such, the total is what the order costs now, with its VAT (§20.14)', () => {
  const [sofa, lamp] = order.orderItems;
  if (!sofa || !lamp) throw new Error('The order has two lines.');
  const orderItems = [
    { ...sofa, cancelledQty: 1 },
    { ...lamp, cancelledQty: 1 },
  ];
  const sums = { net: 41_666, vat: 8_333, gross: 49_999 };
  const invoice = { _id: 'i', kind: 'invoice' as const, number: 'INV-000042', issuedAt: order.createdAt, vatRate: 2000 as const };
  const invoices = [{ ...invoice, rates: [{ rate: 2000 as const, ...sums }], ...sums }];
  const corrected = { ...order, orderItems, invoices, waivedPrice: 50_000, amountDue: 49_999 };
  const { text, html } = orderDeliveredMail(config, corrected);
  expect(text).toMatch(/\n1 × £499\.99 = £499\.99\n[\s\S]*\nCancelled: 1 × £499\.99 = £499\.99\n[\s\S]*\nCancelled: 1 × £0\.01 = £0\.01\n/);
  expect(text).toMatch(
    /Subtotal: £999\.99\nCancelled: −£500\.00\nDelivery: Free\nTotal: £499\.99\nOf which net: £416\.66\nOf which VAT at 20%: £83\.33\n/,
  );
  expect(html).toContain('£499.99</s>');
  // An invoice of another sum says nothing about the total.
  expect(orderDeliveredMail(config, { ...corrected, waivedPrice: 0, amountDue: 99_999 }).text).not.toContain('VAT');
  const refunded = orderDeliveredMail(config, { ...order, isPaid: true, refundedPrice: 10_000 }).text;
  expect(refunded).toMatch(/Total: £999\.99\nRefunded: −£100\.00\nNew total: £899\.99\n/);
  expect(orderDeliveredMail(config, order).text).not.toMatch(/Cancelled|Refunded|New total/);
});

test('the mail of a cancelled order names its pieces, with how many and their pictures', () => {
  const orderItems = order.orderItems.map((item) => ({ ...item, image: `/images/${'ab'.repeat(16)}-1200.webp` }));
  const news = { pieces: '', cancelled: [{ line: 0, qty: 2 }], because: '', refund: 0, byCard: false, isDisputed: false };
  const { text, html, pictures } = orderCancelledMail(config, { ...order, orderItems }, news);
  for (const part of [text, html]) expect(part).toMatch(/Alder Sofa[\s\S]*Size: Large, colour: Moss[\s\S]*Quantity: 2/);
  expect(text).not.toContain('Lamp');
  expect(pictures).toEqual(['ab'.repeat(16)]);
});

test('amounts are the pounds that are charged (§9.3)', () => {
  const { text, html } = orderConfirmation(config, order);
  expect(text).toContain('Total: £999.99');
  expect(text + html).not.toContain('$');
});

test('a confirmation names the invoice, with net and VAT where there is VAT (§22.2)', () => {
  const figures = { _id: 'i', kind: 'invoice' as const, number: 'INV-000042', issuedAt: order.createdAt, gross: 99_999 };
  const sums = { net: 83_332, vat: 16_667, gross: 99_999 };
  const taxed = orderConfirmation(config, {
    ...order,
    invoices: [{ ...figures, vatRate: 2000, rates: [{ rate: 2000, ...sums }], ...sums }],
  });
  for (const text of ['Of which net: £833.32', 'Of which VAT at 20%: £166.67', 'Invoice: INV-000042']) expect(taxed.text).toContain(text);
  const untaxed = orderConfirmation(config, { ...order, invoices: [{ ...figures, vatRate: null, rates: [], net: 99_999, vat: 0 }] });
  expect(untaxed.text).toContain('Invoice: INV-000042');
  expect(untaxed.text).not.toContain('VAT');
});
test('a confirmation links its order, and the refund policy with words, and nothing else (§15.1)', () => {
  const { html, text } = orderConfirmation(config, order);
  const policy = `https://shop.example/refund-policy?at=${order.createdAt}`;
  expect([...html.matchAll(/href="([^"]*)"/g)].map(([, href]) => href)).toEqual([`https://shop.example/order/${order._id}`, policy]);
  expect(html).toContain('>How that works</a>');
  expect(text).toContain(`How that works: ${policy}`);
});

test('each piece has its picture, at the shop’s whole address, as a JPEG that every mail program shows (§15.1)', () => {
  const image = `/images/${'ab'.repeat(16)}-1200.webp`;
  const pictured = { ...order, orderItems: order.orderItems.map((item) => ({ ...item, image })) };
  for (const mail of [orderConfirmation(config, pictured), orderDeliveredMail(config, pictured)]) {
    expect(mail.pictures).toEqual(['ab'.repeat(16)]);
    expect([...mail.html.matchAll(/<img src="([^"]*)"/g)].map(([, src]) => src)).toEqual([
      `https://shop.example/images/${'ab'.repeat(16)}-160.jpeg`,
      `https://shop.example/images/${'ab'.repeat(16)}-160.jpeg`,
    ]);
  }
});

test('pictures of mails come from the address that is set for pictures, and links from the shop', () => {
  const image = `/images/${'ab'.repeat(16)}-1200.webp`;
  const pictured = { ...order, orderItems: order.orderItems.map((item) => ({ ...item, image })) };
  for (const mailOf of [orderConfirmation, orderDeliveredMail]) {
    const { html } = mailOf({ ...config, picturesUrl: 'https://img.example' }, pictured);
    expect(html).toContain(`<img src="https://img.example/images/${'ab'.repeat(16)}-160.jpeg"`);
    expect(html).toContain(`href="https://shop.example/order/${order._id}"`);
  }
});

test('only unpaid cash orders say what is due on delivery', () => {
  for (const paid of [
    { ...order, isPaid: true },
    { ...order, paymentMethod: 'Online Payment' },
  ])
    expect(orderConfirmation(config, paid).text).not.toContain('To pay');
});

test('whatever people write into a field, a mail shows it as text', () => {
  const hostile: Order = {
    ...order,
    fullName: HOSTILE,
    paymentMethod: HOSTILE,
    user: { _id: HOSTILE, name: HOSTILE, email: HOSTILE },
    orderItems: [
      {
        _id: HOSTILE,
        name: HOSTILE,
        image: HOSTILE,
        qty: 1,
        price: 1,
        discount: 0,
        size: HOSTILE,
        color: HOSTILE,
        colourName: HOSTILE,
        isColourOpen: false,
        sku: '',
        cancelledQty: 0,
        returnedQty: 0,
        spoiledQty: 0,
        refundedQty: 0,
        partialRefund: 0,
      },
    ],
    shippingAddress: { line1: HOSTILE, line2: HOSTILE, city: HOSTILE, state: HOSTILE, postalCode: HOSTILE, country: HOSTILE },
  };
  const tags = (html: string) =>
    [...html.matchAll(/<\/?([a-z!]+)/g)].map(([, name]) => name).filter((name) => name === 'img' || name === 'script');
  const mails = [
    passwordChangedMail(config, { name: HOSTILE, email: nia.email }),
    addressChangedMail(config, nia.email, HOSTILE),
    orderDeliveredMail(config, hostile),
    paymentRefunded(config, hostile, 'sold'),
  ];
  for (const { html } of mails) {
    expect(tags(html)).toEqual([]);
    expect(html).toMatch(/&(#60|lt);script&(#62|gt);/);
  }
});

test('what somebody typed as name or address becomes no link in the mail of a stranger', () => {
  const BAIT = 'Claim your prize at https://evil.example or www.evil.example';
  const { user, shippingAddress } = order;
  const baited: Order = {
    ...order,
    fullName: BAIT,
    user: { ...user, name: BAIT },
    shippingAddress: { ...shippingAddress, line1: BAIT, line2: BAIT, city: BAIT, state: BAIT },
  };
  const person = { name: BAIT, email: nia.email };
  const mails = [passwordChangedMail(config, person), orderDeliveredMail(config, baited), paymentRefunded(config, baited, 'twice')];
  for (const { text, html } of mails) {
    expect(text + html).toContain('Claim your prize');
    expect(text + html).not.toMatch(/evil\.example|https:\/\/evil/);
  }
});

test('what comes by itself to an address that nobody has confirmed holds nothing that its sender typed', () => {
  const TYPED = 'Claim your prize';
  const { line1, ...rest } = order.shippingAddress;
  const typed: Order = {
    ...order,
    fullName: TYPED,
    phone: TYPED,
    email: TYPED,
    orderPaymentID: TYPED,
    user: { ...order.user, name: TYPED },
    shippingAddress: { ...rest, line1: TYPED, line2: TYPED, city: TYPED, state: TYPED, postalCode: TYPED, country: TYPED },
  };
  const cancelled = { pieces: '', cancelled: [{ line: 0, qty: 1 }], because: 'as you asked', refund: 0, byCard: false, isDisputed: false };
  for (const { text, html, subject } of [orderConfirmation(config, typed), orderCancelledMail(config, typed, cancelled)]) {
    expect(text + html + subject).not.toContain('Claim');
    expect(text).toContain('Hello,');
  }
});

test('a subject is one line', () => {
  for (const { subject } of [orderConfirmation(config, { ...order, _id: 'a\r\nBcc: x@y.zz' })]) expect(subject).not.toMatch(/[\r\n]/);
});
