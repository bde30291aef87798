import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { generateSource } from 'oazapfts';
import { expect, test } from 'vitest';
import { ROOT } from '#server/platform/root.ts';
import { aProduct } from '#server/testing/factories.ts';
import { testShop } from '#server/testing/harness.ts';

/** What a developer elsewhere writes with the client that a generator made of the document. */
const JOURNEY = `
import { ok } from '@oazapfts/runtime';
import { defaults, getOrdersById, getProducts, getProductsById, postOrders, postOrdersByIdCancel, postUsers } from './client.ts';

export async function journey(baseUrl: string, search: string) {
  defaults.baseUrl = baseUrl;
  const { token } = await ok(postUsers({ name: 'Ann Lee', email: 'ann.lee@example.com', password: 'Correct-horse-1' }));
  const opts = { headers: { Bearer: token } };
  const { products: [found] } = await ok(getProducts({ search }));
  if (!found) throw new Error('Nothing was found.');
  const { _id, price } = await ok(getProductsById(found._id));
  const shippingAddress = { line1: '1 High Street', city: 'Leeds', postalCode: 'LS1 1UR', country: 'United Kingdom' };
  const wish = { orderItems: [{ _id, price, qty: 1 }], shippingAddress, phone: '07700 900123', paymentMethod: 'Cash on Delivery' };
  const placed = await ok(postOrders(wish, { idempotencyKey: 'journey-1' }, opts));
  const read = await ok(getOrdersById(placed._id, opts));
  const cancelled = await ok(postOrdersByIdCancel(placed._id, { reason: 'I changed my mind' }, opts));
  const again = await postOrdersByIdCancel(placed._id, { reason: 'I changed my mind' }, opts);
  return { names: read.orderItems.map(({ name }) => name), before: read.status, after: cancelled.status, again: again.status };
}
`;

test('a client generated from the API’s document compiles, and takes a customer from a search to a cancelled order (§7.3)', {
  tags: ['thorough'],
}, async () => {
  const { db, url } = await testShop();
  await aProduct(db, { name: 'Quixote Armchair', price: 25_000 });
  // Within the project, so that the client finds its packages.
  const folder = join(ROOT, '.cache/api-client');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'client.ts'), await generateSource(`${url}/api/docs/json`));
  await writeFile(join(folder, 'journey.ts'), JOURNEY);
  const options = [
    '--noEmit',
    '--strict',
    '--skipLibCheck',
    '--module',
    'preserve',
    '--allowImportingTsExtensions',
    '--lib',
    'es2023,dom,dom.iterable',
  ];
  await promisify(execFile)(process.execPath, [
    join(ROOT, 'node_modules/typescript/bin/tsc'),
    ...options,
    '--ignoreConfig',
    join(folder, 'journey.ts'),
  ]).catch(({ stdout }: { stdout: string }) => expect(stdout).toBe(''));
  const { journey } = (await import(join(folder, 'journey.ts'))) as { journey: (url: string, search: string) => Promise<object> };
  expect(await journey(url, 'Quixote')).toEqual({ names: ['Quixote Armchair'], before: 'placed', after: 'cancelled', again: 409 });
});
