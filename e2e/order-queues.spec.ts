import { expect, holdBack, test } from './fixtures.ts';
import { anOrder, expectFit, rowOf } from './office.ts';

test('the panel of sales compares with the thirty days before, and stays folded (§23.3)', { tag: '@thorough' }, async ({
  page,
  shop,
  logInAs,
}) => {
  const product = await shop.aProduct({ price: '50000' });
  const { _id } = await anOrder(shop, { product });
  const old = await anOrder(shop, { product, qty: 2 });
  await shop.withDatabase(async (db) => {
    const createdAt = new Date(Date.now() - 45 * 86_400_000).toISOString();
    await db.updateTable('orders').set({ createdAt }).where('id', '=', old._id).execute();
  });
  await logInAs(await shop.admin());
  await page.goto('/admin/orderlist/');
  const panel = page.getByRole('region', { name: 'Sales of the last 30 days' });
  await expect(panel.getByText(/^(about as much as|\d+% (more|less) than) £[\d,.]+ in the 30 days before$/)).toBeVisible();
  await expect(panel.getByText(/^(about as much as|\d+% (more|less) than) \d+ in the 30 days before$/)).toBeVisible();
  await panel.getByRole('button', { name: 'Hide sales' }).click();
  await expect(panel.getByText('Best sellers')).toBeHidden();
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await page.reload();
  await expect(rowOf(page, _id)).toBeVisible();
  await expect(panel.getByRole('button', { name: 'Show sales' })).toHaveAttribute('aria-expanded', 'false');
  expect(asked).not.toContain('/api/orders/sales');
  await panel.getByRole('button', { name: 'Show sales' }).click();
  await expect(panel.getByText('Best sellers')).toBeVisible();
});

test('tabs say how much waits to be packed and dispatched, and lead to it; a step moves an order to the next (§23.1)', async ({
  page,
  shop,
  logInAs,
}) => {
  const buyer = await shop.aCustomer('Quentin Queued');
  const order = await anOrder(shop, { buyer });
  await logInAs(await shop.admin());
  await page.goto('/admin/orderlist/');
  const tabs = page.getByRole('navigation', { name: 'Queues' });
  await expect(tabs.getByRole('link')).toHaveText([
    /^To approve \d+$/,
    /^Awaiting payment \d+$/,
    /^To pack \d+$/,
    /^To dispatch \d+$/,
    /^Late \d+$/,
    /^Returns to answer \d+$/,
    /^Returns on their way \d+$/,
    /^Delivered, not paid \d+$/,
    /^To pay back \d+$/,
    /^Disputes \d+$/,
    /^All \d+$/,
  ]);
  await expect(tabs.getByRole('link', { name: /^All/ })).toHaveAttribute('aria-current', 'page');
  await tabs.getByRole('link', { name: /^To pack/ }).click();
  await expect(page).toHaveURL(/\?queue=pack$/);
  await expect(tabs.getByRole('link', { name: /^To pack/ })).toHaveAttribute('aria-current', 'page');
  await expect(rowOf(page, order._id)).toBeVisible();
  await expectFit(page);
  await shop.call('PUT', `/api/orders/${order._id}/stage`, { token: (await shop.admin()).token, body: { stage: 'packing' } });
  await page.goto(`/admin/orderlist/?queue=pack&search=${order._id}`);
  await expect(page.getByRole('status').filter({ hasText: /^0 orders$/ })).toBeVisible();
  await page.goto(`/admin/orderlist/?queue=dispatch&search=${order._id}`);
  await expect(rowOf(page, order._id)).toBeVisible();
  await expect(page.getByRole('status').filter({ hasText: /^1 order$/ })).toBeVisible();
});

test('nothing that is loaded moves what finds orders away from under a hand', { tag: '@thorough' }, async ({ page, shop, logInAs }) => {
  const [buyer, product] = [await shop.aCustomer('Stella Still'), await shop.aProduct()];
  await anOrder(shop, { buyer, product });
  await logInAs(await shop.admin());
  const release = await holdBack(page, /\/api\/orders(\/|\?|$)/);
  await page.goto('/admin/orderlist/');
  const button = page.getByRole('button', { name: 'Find', exact: true });
  const before = await button.boundingBox();
  release();
  await expect(page.getByRole('region', { name: 'Sales of the last 30 days' }).getByText('Best sellers')).toBeVisible();
  await expect(page.getByRole('navigation', { name: 'Queues' }).getByRole('link')).toHaveCount(11);
  await expect(rowOf(page, buyer._id)).toBeVisible();
  expect(await button.boundingBox()).toEqual(before);
});
