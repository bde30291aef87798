import { expect, test } from 'vitest';
import { ADDRESS } from '#server/testing/address.ts';
import { aCustomer, aLine, aPayload, aProduct } from '#server/testing/factories.ts';
import { testShop } from '#server/testing/harness.ts';

const { app, db } = await testShop({ env: { STORE_MARKET: 'uk' } });
const place = (headers: Record<string, string>, payload: object) => app.inject({ method: 'POST', url: '/api/orders', headers, payload });

const lineFields = {
  fullName: 'Full name',
  phone: 'Phone number',
  orderPaymentID: 'Payment ID',
  'shippingAddress.line1': 'Address line 1',
  'shippingAddress.line2': 'Address line 2',
  'shippingAddress.city': 'City',
  'shippingAddress.state': 'State',
  'shippingAddress.postalCode': 'ZIP code',
  'shippingAddress.country': 'Country',
};
test.each(Object.entries(lineFields))(
  '%s is one line: breaks, control characters and endless text are refused in words (§5.8)',
  async (field, name) => {
    const buyer = await aCustomer(db);
    const lines = [aLine(await aProduct(db))];
    for (const [text, problem] of [
      ...['a\r\nb', 'a\tb', 'a\u2028b', 'a\u0085b'].map((broken) => [broken, 'must be one line of text'] as const),
      ['x'.repeat(5_000), 'is too long'] as const,
    ]) {
      const [outer = '', inner] = field.split('.');
      const change = inner ? { [outer]: { ...ADDRESS, [inner]: text } } : { [outer]: text };
      const reply = await place(buyer.headers, aPayload(lines, change));
      expect([reply.statusCode, reply.json().errors]).toEqual([400, { [field]: `${name} ${problem}` }]);
    }
  },
);

test('the market uk sends orders to the United Kingdom only (§10.4)', async () => {
  const buyer = await aCustomer(db);
  const lines = [aLine(await aProduct(db))];
  const order = (country: string) => place(buyer.headers, aPayload(lines, { shippingAddress: { ...ADDRESS, country } }));
  const refused = await order('Pakistan');
  const message = 'We deliver to the United Kingdom only';
  expect([refused.statusCode, refused.json()]).toEqual([400, { message, errors: { 'shippingAddress.country': message } }]);
  expect((await order('United Kingdom')).statusCode).toBe(201);
});

test.each([
  ['sw1a1aa', 'SW1A 1AA'],
  ['m1-1ae', 'M1 1AE'],
  ['LS1 4AP', 'LS1 4AP'],
])('a UK postcode is kept in capitals with its space: %s (§2.9.1)', async (typed, kept) => {
  const buyer = await aCustomer(db);
  const lines = [aLine(await aProduct(db))];
  const reply = await place(
    buyer.headers,
    aPayload(lines, { shippingAddress: { ...ADDRESS, postalCode: typed, country: 'United Kingdom' } }),
  );
  expect([reply.statusCode, reply.json().shippingAddress.postalCode]).toEqual([201, kept]);
});
