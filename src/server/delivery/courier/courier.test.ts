import { beforeEach, expect, test } from 'vitest';
import type { CourierReport } from '#contract/delivery/dispatch.ts';
import type { Order } from '#contract/orders/orders.ts';
import { runJobs } from '#server/app/jobs.ts';
import { aCustomer, aLine, anAdmin, aPayload, aProduct, type SignedIn } from '#server/testing/factories.ts';
import { testShop } from '#server/testing/harness.ts';
import { makeJobsDue } from '#server/testing/jobs.ts';
import { mailsOf } from '#server/testing/mails.ts';
import { MANY_ORDERS } from '#server/testing/many-orders.ts';

const shop = await testShop({ env: MANY_ORDERS });
const { app, db } = shop;
const admin = await anAdmin(db);
let buyer: SignedIn;
let product: Awaited<ReturnType<typeof aProduct>>;
let orders: Order[];

const call = (method: 'GET' | 'POST' | 'PUT', url: string, payload?: object) =>
  app.inject({ method, url, headers: admin.headers, ...(payload && { payload }) });
const read = async ({ _id }: Order) => (await call('GET', `/api/orders/${_id}`)).json<Order>();
const told = async () => (await mailsOf(shop.dataDir, buyer.email)).filter(({ subject }) => subject?.includes('on its way'));
const place = async (payload = {}) => {
  const sent = { method: 'POST', url: '/api/orders', headers: buyer.headers, payload: aPayload([aLine(product)], payload) } as const;
  return (await app.inject(sent)).json<Order>();
};

async function send(csv: string | Buffer, fields: Record<string, string> = {}) {
  const form = new FormData();
  form.append('file', new Blob([csv], { type: 'text/csv' }), 'courier.csv');
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  const request = new Request('http://shop.test/', { method: 'POST', body: form });
  const headers = { ...admin.headers, 'content-type': request.headers.get('content-type') ?? '' };
  return app.inject({ method: 'POST', url: '/api/office/dispatches/import', headers, payload: Buffer.from(await request.arrayBuffer()) });
}
const check = async (csv: string, fields = {}) => (await send(csv, fields)).json<CourierReport>();
async function carryOut(csv: string): Promise<CourierReport> {
  const { fingerprint } = await check(csv);
  return (await send(csv, { fingerprint })).json<CourierReport>();
}

beforeEach(async () => {
  buyer = await aCustomer(db);
  product = await aProduct(db, { stock: 100 });
  orders = [await place(), await place(), await place()];
});

test('a file is checked first, row by row, and dispatches nothing; then its orders leave with their numbers, and the mails wait ten minutes (§20.11)', async () => {
  const [first, second, third] = orders as [Order, Order, Order];
  const unpaid = await place({ paymentMethod: 'Online Payment', orderPaymentID: 'BACS 1' });
  await call('PUT', `/api/orders/${third._id}/stage`, { stage: 'packing' });
  // As a courier in a country with decimal commas writes it: a byte order mark, semicolons, quotation marks, its own columns, small letters.
  const csv = [
    '\ufeffService;"Consignment No.";Recipient;CUSTOMER_REFERENCE',
    `"DPD UK Next Day";"1550 1234";"Smith; Ann";${first.reference.toLowerCase().replace('-', '')}`,
    `ROYALMAIL Tracked 48;"AB 123";x;#${second.reference}`,
    `DPD;1550 9;x;${third._id}`,
    `DPD;1550 10;x;${second.reference}`,
    `DPD;1550 11;x;AAAA-BBBB`,
    `DPD;;x;${first.reference}`,
    `DPD;1.55E+13;x;${first.reference}`,
    `DPD;1550 12;x;${unpaid.reference}`,
    'DPD;1550 13;x;',
  ].join('\r\n');
  const report = await check(csv);
  expect(report).toMatchObject({ isDone: false, errors: [], dispatched: 3, tracked: 0, left: 6 });
  expect(report.rows.map(({ row, text }) => `${row}: ${text}`)).toEqual([
    '2: Dispatch with DPD',
    '3: Dispatch with Royal Mail',
    '4: Dispatch with DPD',
    '5: Row 3 already has this order. Dispatch further parcels on the order’s page.',
    '6: There is no order with this reference.',
    '7: The tracking number is missing.',
    '8: A spreadsheet has rounded this tracking number (1.55E+13). Use the courier’s own file, or keep the column as text.',
    '9: It is still waiting for payment.',
    '10: The order’s reference is missing.',
  ]);
  expect(await Promise.all(orders.map(async (order) => (await read(order)).status))).toEqual(['placed', 'placed', 'packing']);
  const done = await carryOut(csv);
  expect(done).toMatchObject({ isDone: true, dispatched: 3, left: 6 });
  expect(done.rows.slice(0, 3).map(({ text }) => text)).toEqual(['Dispatched', 'Dispatched', 'Dispatched']);
  const parcels = await Promise.all(orders.map(async (order) => (await read(order)).parcels[0]));
  expect(parcels.map((parcel) => [parcel?.carrierName, parcel?.trackingNumber])).toEqual([
    ['DPD', '1550 1234'],
    ['Royal Mail', 'AB 123'],
    ['DPD', '1550 9'],
  ]);
  await runJobs(shop.services);
  expect(await told()).toEqual([]);
  await makeJobsDue(db);
  await runJobs(shop.services);
  expect((await told()).map(({ text }) => /1550 1234|AB 123|1550 9/.exec(text ?? '')?.[0]).sort()).toEqual([
    '1550 1234',
    '1550 9',
    'AB 123',
  ]);
});

test('what a file dispatched is undone as one batch before any mail has left, and the file dispatches it again (§20.11)', async () => {
  const csv = `Order reference,Tracking number\n${orders.map(({ reference }, n) => `${reference},${n + 1}`).join('\n')}`;
  await carryOut(csv);
  const { batches } = (await call('GET', '/api/office/dispatches')).json<{ batches: { _id: string; orders: number }[] }>();
  expect(batches[0]).toMatchObject({ orders: 3, actor: admin.name });
  await call('POST', `/api/office/dispatches/${batches[0]?._id}/undo`);
  expect(await Promise.all(orders.map(async (order) => (await read(order)).status))).toEqual(['packing', 'packing', 'packing']);
  expect((await carryOut(csv)).dispatched).toBe(3);
  expect((await check(csv)).rows.map(({ text }) => text)).toEqual(orders.map(() => 'It has already been dispatched with this number.'));
  expect((await send(csv, { fingerprint: (await check(csv)).fingerprint })).json().message).toBe(
    'There is nothing to dispatch in this file.',
  );
});

test('an order that left without a number gets it, and its customer is told where to follow it; one with another number keeps that (§20.11)', async () => {
  const [first, second] = orders as [Order, Order];
  await call('POST', `/api/office/orders/${first._id}/parcels`, { carrier: 'dpd' });
  await call('POST', `/api/office/orders/${second._id}/parcels`, { carrier: 'evri', trackingNumber: 'H7' });
  await runJobs(shop.services);
  const csv = `tracking,order\n1550,${first.reference}\nH8,${second.reference}\n`;
  const report = await carryOut(csv);
  expect(report).toMatchObject({ dispatched: 0, tracked: 1, left: 1 });
  expect(report.rows.map(({ text }) => text)).toEqual([
    'Tracking number added',
    'It was dispatched with the number H7. Change it on the order’s page.',
  ]);
  expect((await read(first)).parcels).toMatchObject([{ carrierName: 'DPD', trackingNumber: '1550' }]);
  expect((await read(second)).parcels).toMatchObject([{ carrierName: 'Evri', trackingNumber: 'H7' }]);
  await runJobs(shop.services);
  const again = (await mailsOf(shop.dataDir, buyer.email)).filter(({ subject }) => subject === `Track your order ${first.reference}`);
  expect(again.map(({ text }) => text?.includes('apps/tracking/?reference=1550'))).toEqual([true]);
});

test('rows that name no carrier travel with the one that was chosen for them, and columns may be named after the shipment (§20.11)', async () => {
  const csv = `Shipment number,Shipment_Reference\n77,${orders[0]?.reference}`;
  const { fingerprint } = await check(csv, { carrier: 'ups' });
  await send(csv, { carrier: 'ups', fingerprint });
  expect((await read(orders[0] as Order)).parcels).toMatchObject([{ carrierName: 'UPS' }]);
});

test('a carrier that the shop does not know keeps the name that the file has, and its customer reads it (§20.11)', async () => {
  const csv = `Reference,Tracking,Courier\n${orders[0]?.reference},7,"Pigeon & Sons"\n${orders[1]?.reference},8,${'long '.repeat(30)}`;
  expect((await check(csv)).rows.map(({ text }) => text)).toEqual([
    'Dispatch with Pigeon & Sons',
    `Dispatch with ${'long '.repeat(12).trim()}`,
  ]);
  await carryOut(csv);
  expect((await read(orders[0] as Order)).parcels).toMatchObject([{ carrierName: 'Pigeon & Sons', trackingUrl: '' }]);
  await makeJobsDue(db);
  await runJobs(shop.services);
  expect((await told()).filter(({ text }) => text?.includes('Pigeon & Sons'))).toHaveLength(1);
});

test('orders that changed since the check stop the file before anything leaves (§20.11)', async () => {
  const csv = `Reference,Tracking\n${orders.map(({ reference }) => `${reference},1`).join('\n')}`;
  const { fingerprint } = await check(csv);
  await call('POST', `/api/office/orders/${orders[1]?._id}/cancel`, { reason: 'Not in stock' });
  const reply = await send(csv, { fingerprint });
  expect([reply.statusCode, reply.json().message]).toEqual([409, 'Orders have changed since the check. Please check the file again.']);
  expect((await read(orders[0] as Order)).status).toBe('placed');
  expect((await check(csv)).rows[1]?.text).toBe(`Order ${orders[1]?.reference} was cancelled; it cannot be dispatched.`);
});

test.each([
  ['Name,Colour\na,b', 'No column has the order’s reference. Call it “Order reference”.'],
  ['Reference\nAAAA-BBBB', 'No column has the tracking number. Call it “Tracking number”.'],
  ['Reference,Tracking\n"AAAA-BBBB,1\n', 'A quotation mark is never closed.'],
  [`Reference,Tracking\n${'AAAA-BBBB,1\n'.repeat(1_001)}`, 'A file may have at most 1,000 orders.'],
  ['\n', 'The file is empty.'],
])('a file that cannot be used says why: %#', async (csv, message) => {
  const { errors, rows } = await check(csv);
  expect([errors.map((error) => error.message).at(0), rows]).toEqual([message, []]);
});

test('a file that is no text, and one that is too large, are refused (§20.11)', async () => {
  expect((await send(Buffer.from([0xff, 0xfe, 0x41, 0xd8]))).statusCode).toBe(415);
  expect((await send('x'.repeat(11 * 1024 * 1024))).statusCode).toBe(413);
});
