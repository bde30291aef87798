import { Order } from '#contract/orders/orders.schema.ts';
import { endpoint } from '#contract/platform/endpoint.ts';
import * as schema from './phone.schema.ts';

export const quotePhoneOrder = endpoint('POST /api/office/orders/quote', {
  right: 'change orders',
  summary: 'Work out the total of an order by phone, with its delivery methods and days',
  errors: [409],
  maxBodyKb: 256,
  body: schema.PhoneQuoteBody,
  reply: schema.PhoneQuote,
});

export const placePhoneOrder = endpoint('POST /api/office/orders', {
  right: 'change orders',
  summary: 'Place an order for a customer on the phone; the email address finds or creates the account',
  errors: [409],
  idempotencyKey: true,
  maxBodyKb: 256,
  body: schema.PhoneOrderBody,
  reply: Order,
  status: 201,
});
