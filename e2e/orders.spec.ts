import type { Locator } from '@playwright/test';
import { sql } from 'kysely';
import { shopDate, shopDay } from '../src/contract/market/shop-time.ts';
import { expect, expectAccessible, expectNoSidewaysScroll, logIn, payByCard, type Shop, storedUser, test } from './fixtures.ts';

interface Placed {
  _id: string;
  reference: string;
  createdAt: string;
}

const PICTURE = 'demo/pictures/alder-carver-chair.webp';

/** A picture that has arrived and is seen. */
async function expectPicture(place: Locator): Promise<void> {
  const picture = place.locator('img').first();
  await expect(picture).toBeVisible();
  await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
}

/** An order of some products, one piece each, placed through the API. */
async function anOrder(shop: Shop, token: string, names: string[], pictures: string[] = []): Promise<Placed> {
  const products = [];
  for (const name of names) products.push(await shop.aProduct({ name, price: '12345' }, pictures));
  const body = {
    orderItems: products.map(({ _id, name, price }) => ({ _id, name, image: '', price, qty: 2 })),
    shippingAddress: {
      line1: '1 High Street',
      line2: 'Flat 2',
      city: 'Leeds',
      state: 'Yorkshire',
      postalCode: '54000',
      country: 'Pakistan',
    },
    phone: '07700900123',
    paymentMethod: 'Cash on Delivery',
    orderPaymentID: 'COD',
  };
  return shop.call('POST', '/api/orders', { token, body });
}

test('the order history shows date, total in dollars, picture, three names then More..., and the address (§2.11.1, §9.3)', async ({
  page,
  shop,
  logInAs,
}) => {
  const customer = await shop.aCustomer();
  const { _id, createdAt } = await anOrder(shop, customer.token, ['Alpha Sofa', 'Beta Lamp', 'Gamma Bench', 'Delta Chair'], [PICTURE]);
  await logInAs(customer);
  await page.goto('/orders');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Order History');
  const order = page.getByRole('article');
  await expect(order.getByRole('time')).toHaveText(shopDay(createdAt));
  await expect(order.getByText('$987.60')).toBeVisible();
  await expect(order.getByText('On the Way')).toBeVisible();
  await expect(order.getByText(customer.name)).toBeVisible();
  await expectPicture(order);
  await expect(order.getByRole('listitem')).toHaveText(['1. Alpha Sofa', '2. Beta Lamp', '3. Gamma Bench', 'More...']);
  await expect(order.getByRole('group').or(order.locator('address'))).toHaveText('1 High StreetFlat 2Leeds54000Pakistan');
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await order.getByRole('link', { name: /^Order Details/ }).click();
  await expect(page).toHaveURL(`${shop.url}/order/${_id}`);
});

test('the order history has pages of six, as links; a page past the end becomes the last one (§2.11.1)', { tag: '@thorough' }, async ({
  page,
  shop,
  logInAs,
}) => {
  const customer = await shop.aCustomer();
  for (let count = 1; count <= 7; count += 1) await anOrder(shop, customer.token, [`Paged Sofa ${count}`]);
  await logInAs(customer);
  await page.goto('/orders');
  await expect(page.getByRole('article')).toHaveCount(6);
  await expect(page.getByRole('article').first()).toContainText('1. Paged Sofa 7');
  await page.getByRole('link', { name: 'Page 2' }).click();
  await expect(page).toHaveURL(`${shop.url}/orders?currPage=2`);
  await expect(page.getByRole('article')).toHaveCount(1);
  await expect(page.getByRole('article')).toContainText('1. Paged Sofa 1');
  await page.goto('/orders?currPage=9');
  await expect(page).toHaveURL(`${shop.url}/orders?currPage=2`);
  await expect(page.getByRole('article')).toHaveCount(1);
});

test('an order shows its lines, sums, address, On the Way and Not Paid in red; later the days in green (§2.11.2, §3.7, U43)', async ({
  page,
  shop,
  logInAs,
}) => {
  const customer = await shop.aCustomer();
  const { _id, reference, createdAt } = await anOrder(shop, customer.token, ['Detail Sofa'], [PICTURE]);
  await logInAs(customer);
  await page.goto(`/order/${_id}`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Order ${reference}`);
  await expect(page.getByText(`Order id: ${_id}`)).toBeVisible();
  for (const name of ['Order Items', 'Order Summary', 'Shipping Address', 'Shipping Status', 'Payment Method'])
    await expect(page.getByRole('heading', { level: 2, name })).toBeVisible();
  await expect(page.getByText('2 x $123.45 = $246.90')).toBeVisible();
  await expect(page.getByText(`Order date ${shopDay(createdAt)}`)).toBeVisible();
  await expectPicture(page.locator('#main'));
  const steps = page.getByRole('list', { name: 'Progress' }).getByRole('listitem');
  await expect(steps).toHaveText([
    `Placed (done)${shopDate(createdAt)}`,
    'Dispatched (next)',
    /^Delivered \(to come\)\w{3}\s\d+\s\w{3} – \w{3}\s\d+\s\w{3}$/,
    'Paid (to come)',
  ]);
  await expect(steps.nth(1)).toHaveAttribute('aria-current', 'step');
  const next = page.locator('section', { has: page.getByRole('heading', { name: 'What happens next' }) });
  await expect(next).toContainText(/We are getting your order ready\.It should arrive \w{3}\s\d+/);
  await expect(next).toContainText(/they will call 07700900123\.Please have £246\.90 ready in cash for the driver\./);
  await expect(page.getByRole('heading', { name: 'Help with this order' })).toBeVisible();
  await expect(page.getByText(`Email or call us and quote ${reference}.`)).toBeVisible();
  await expect(page.locator('#main').getByText(customer.name, { exact: true })).toBeVisible();
  const amounts = page.locator('section', { has: page.getByRole('heading', { name: 'Order Summary' }) }).locator('dl');
  await expect(amounts).toContainText('Subtotal$246.90Shipping$0.00Tax$0.00Total$246.90');
  await expect(page.getByRole('link', { name: `Pro forma invoice ${reference}` })).toBeVisible();
  await expect(page.getByText('No VAT is charged.')).toBeVisible();
  await expect(page.locator('address')).toHaveText('1 High StreetFlat 2LeedsYorkshire54000Pakistan');
  const red = 'rgb(163, 35, 31)';
  await expect(page.getByText('On the Way')).toHaveCSS('color', red);
  await expect(page.getByText('Not Paid')).toHaveCSS('color', red);
  await expect(page.getByText('Cash on Delivery')).toBeVisible();
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await expect(page.getByRole('button', { name: 'Print' })).toBeVisible();
  await page.emulateMedia({ media: 'print' });
  for (const gone of [page.getByRole('button', { name: 'Print' }), page.getByRole('banner'), page.getByText('Help with this order')])
    await expect(gone).toBeHidden();
  for (const kept of [
    page.getByText('2 x $123.45 = $246.90'),
    page.getByText('Flat 2'),
    page.getByText(`Order ${reference}`),
    page.getByText('Hearth & Oak').first(),
  ])
    await expect(kept).toBeVisible();
  await page.emulateMedia({ media: 'screen' });
  const { token } = await shop.admin();
  await shop.call('PUT', `/api/orders/${_id}/deliver`, { token, body: { isDelivered: true } });
  await shop.call('PUT', `/api/orders/${_id}/cash`, { token, body: { isPaid: true } });
  await page.reload();
  const green = 'rgb(31, 107, 58)';
  await expect(page.getByText(/^Delivered at: \d{4}-\d{2}-\d{2}$/)).toHaveCSS('color', green);
  await expect(page.getByText(/^Paid at: \d{4}-\d{2}-\d{2}$/)).toHaveCSS('color', green);
  await expect(steps).toHaveText([/^Placed \(done\)/, /^Delivered \(done\)\d+ \w{3} \d{4}/, /^Paid \(done\)\d+ \w{3} \d{4}/]);
  await expect(next).toContainText('Your order has arrived. You have 14 days');
});

test('a refunded order says so to its buyer and to staff, and no longer Paid or On the Way (§2.11.3, U44)', { tag: '@thorough' }, async ({
  page,
  shop,
  logInAs,
}) => {
  // Somebody who is both: one login sees the screens of both.
  const both = await shop.admin();
  const { _id, name, price } = await shop.aProduct({ name: 'Refunded Sofa' });
  const { url } = await shop.call<{ url: string }>('POST', '/stripe/create-checkout-session', {
    token: both.token,
    body: { orderItems: [{ _id, name, image: '', price, qty: 1 }], customerID: both._id },
  });
  await shop.withDatabase(async (db) => {
    const order = await db.selectFrom('orderItems').select('orderId').where('productId', '=', _id).executeTakeFirstOrThrow();
    // The page asks for another amount than the order now costs, so that the shop gives the payment back.
    await db.updateTable('orders').set({ subTotalPrice: 1, totalPrice: 1 }).where('id', '=', order.orderId).execute();
    // As if the provider's confirmation were still to come.
    await sql`create function wait() returns trigger language plpgsql as $$ begin raise exception 'later'; end $$`.execute(db);
    await sql`create trigger wait before insert on order_events for each row when (new.kind = 'refunded') execute function wait()`.execute(
      db,
    );
  });
  await page.goto(url);
  await payByCard(page);
  const isSaid = async (text: string) => {
    await expect(page.getByText(text, { exact: true }).filter({ visible: true }).first()).toBeVisible();
    for (const other of ['On the Way', 'Paid at:']) await expect(page.getByText(other)).toHaveCount(0);
    await expectAccessible(page);
  };
  await logInAs(both);
  await page.goto('/orders');
  await isSaid('Refund pending');
  await shop.withDatabase(async (db) => void (await sql`drop function wait() cascade`.execute(db)));
  await expect(async () => {
    await page.reload();
    await expect(page.getByText('Refunded', { exact: true })).toBeVisible({ timeout: 1_000 });
  }).toPass();
  await isSaid('Refunded');
  await page
    .getByRole('link', { name: /^Order Details/ })
    .first()
    .click();
  await isSaid('Refunded');
  await expect(page.getByText('Refunded', { exact: true })).toHaveCount(2);
  const id = page.url().split('/').at(-1);
  await page.goto(`/admin/orderlist?search=${id}`);
  await isSaid('Refunded');
  await page.goto(`/admin/orderdetails/${id}`);
  await isSaid('Refunded');
  await expect(page.getByRole('button', { name: /Mark as/ })).toHaveCount(0);
});

test('somebody else’s order is not found (§6.2, §8.1)', async ({ page, shop, logInAs, expectedOnConsole }) => {
  expectedOnConsole.push(/404/);
  const { _id } = await anOrder(shop, (await shop.aCustomer()).token, ['Secret Sofa']);
  await logInAs(await shop.aCustomer('Nosy Neighbour'));
  await page.goto(`/order/${_id}`);
  await expect(page.getByRole('alert')).toHaveText('Order not found');
  await expect(page.getByText('Secret Sofa')).toHaveCount(0);
  await expectAccessible(page);
});

test('an empty order history leads to the shop; a session that ended leads to the login (§8.2)', async ({
  page,
  shop,
  logInAs,
  expectedOnConsole,
}) => {
  expectedOnConsole.push(/401/);
  const customer = await shop.aCustomer();
  await logInAs(customer);
  await page.goto('/orders');
  await expect(page.getByText('You have not ordered anything yet.')).toBeVisible();
  await shop.endSession(customer);
  await page.reload();
  await expect(page).toHaveURL(`${shop.url}/login?redirect=orders`);
  expect(await storedUser(page)).toBeNull();
});

test('an order’s link in a mail leads to the order after the login, which stays plain /login, also by way of registering (§2.2.1)', {
  tag: '@thorough',
}, async ({ page, shop }) => {
  const customer = await shop.aCustomer();
  const { _id } = await anOrder(shop, customer.token, ['Linked Sofa']);
  await page.goto(`/order/${_id}`);
  await expect(page).toHaveURL(`${shop.url}/login`);
  await page.getByRole('link', { name: 'Create an account' }).click();
  await page.getByRole('link', { name: 'Sign in' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Log In');
  await logIn(page, customer);
  await expect(page).toHaveURL(`${shop.url}/order/${_id}`);
  await expect(page.getByText('Linked Sofa').first()).toBeVisible();
});
