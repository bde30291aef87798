import { expect, test } from 'vitest';
import type { Order } from '#contract/orders/orders.ts';
import { LIMITS, limit } from '#server/sessions/rate-limit.service.ts';
import { aCustomer, aLine, anAdmin, aPayload, aProduct, type SignedIn } from '#server/testing/factories.ts';
import { testShop } from '#server/testing/harness.ts';

const { app, db } = await testShop();

test('the PDFs that are written for an account are limited; kept ones, other accounts and staff are not', async () => {
  const [buyer, other, admin] = [await aCustomer(db), await aCustomer(db), await anAdmin(db)];
  const sofa = await aProduct(db);
  const place = async (who: SignedIn) => {
    const order = await app.inject({ method: 'POST', url: '/api/orders', headers: who.headers, payload: aPayload([aLine(sofa)]) });
    return `/api/invoices/${order.json<Order>().invoices[0]?._id}/pdf`;
  };
  const get = (who: SignedIn, url: string) => app.inject({ url, headers: who.headers });
  const [kept, next, theirs] = [await place(buyer), await place(buyer), await place(other)];
  expect((await get(buyer, kept)).statusCode).toBe(200);

  const attempt = { ip: '127.0.0.1', account: buyer._id, factor: 1 };
  for (let n = 1; n < LIMITS.document.pair; n += 1) await limit(db, 'document', attempt);
  const refused = await get(buyer, next);
  expect([refused.statusCode, refused.json().message]).toEqual([429, 'Too many attempts. Please wait 15 minutes and try again.']);
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(LIMITS.document.seconds - 60);
  expect((await get(buyer, kept)).statusCode).toBe(200);
  expect((await get(other, theirs)).statusCode).toBe(200);
  expect((await get(admin, next)).statusCode).toBe(200);
});
