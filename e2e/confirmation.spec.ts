import type { Page } from '@playwright/test';
import { sql } from 'kysely';
import { fillCart, fillCheckout } from './buyer.ts';
import { expect, expectAccessible, expectNoSidewaysScroll, payByCard, test } from './fixtures.ts';

const WINDOW = /\w{3}\s\d+\s\w{3} – \w{3}\s\d+\s\w{3}/;
const panelOf = (page: Page) => page.getByRole('region', { name: 'Your order' });

test('after a cash order the home page says what was bought, when it comes, where it goes and what is due, until that is closed (§2.9.1)', async ({
  page,
  shop,
  logInAs,
}) => {
  const customer = await shop.aCustomer('Robin Buyer');
  await logInAs(customer);
  await fillCart(page, await shop.aProduct({ name: 'Panel Sofa', price: '79900' }), 2);
  await page.goto('/cart');
  await page.getByRole('button', { name: 'Cash on delivery' }).click();
  await fillCheckout(page);
  await page.getByRole('button', { name: 'Place order £1,598.00' }).click();
  await expect(page).toHaveURL(`${shop.url}/`);
  const panel = panelOf(page);
  const [order] = await shop.ordersOf(customer);
  await expect(panel.getByRole('heading')).toHaveText(`Your order ${order?.reference} is placed`);
  await expect(panel.getByRole('heading')).toBeFocused();
  await expect(panel.getByRole('listitem')).toHaveText('Panel Sofa× 2£1,598.00');
  await expect(panel).toContainText(WINDOW);
  await expect(panel).toContainText('Goes toRobin Buyer1 High StreetLeedsWest Yorkshire54-000Pakistan');
  await expect(panel).toContainText('To pay on delivery£1,598.00 in cash.');
  await expect(panel).toContainText(`A confirmation is on its way to ${customer.email}.`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Transform Your Space with Stylish & Comfortable Furniture');
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await page.reload();
  await panel.getByRole('link', { name: 'See your order' }).click();
  await expect(page).toHaveURL(`${shop.url}/order/${order?._id}`);
  await page.goBack();
  await panel.getByRole('button', { name: 'Close' }).click();
  await expect(panel).toHaveCount(0);
  await page.goBack();
  await expect(page).toHaveURL(`${shop.url}/cart`);
  await expect(page.getByText('Your shopping cart is currently empty.')).toBeVisible();
  await page.goForward();
  await expect(page).toHaveURL(`${shop.url}/`);
  await page.reload();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^Transform Your Space/);
  await expect(panel).toHaveCount(0);
});

test('after a card payment the page asks until it is settled, says so when it takes long, and then shows the order (§2.9.2)', {
  tag: '@thorough',
}, async ({ page, shop, logInAs }) => {
  await logInAs(await shop.aCustomer());
  await fillCart(page, await shop.aProduct({ name: 'Slow Sofa', price: '79900' }));
  await page.goto('/cart');
  await page.getByRole('button', { name: 'Checkout' }).click();
  await expect(page.getByText('Payment sandbox')).toBeVisible();
  // The shop cannot write the payment down yet, so the payer waits.
  await shop.withDatabase(async (db) => {
    await sql`create function busy() returns trigger language plpgsql as $$ begin raise exception 'busy'; end $$`.execute(db);
    await sql`create trigger busy before update on orders for each row when (new.full_name = 'Pat Payer') execute function busy()`.execute(
      db,
    );
  });
  await page.clock.install();
  await payByCard(page);
  await expect(page).toHaveURL(`${shop.url}/successPayment`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Thank You For Your Payment!');
  await expect(page.getByText('We are confirming your payment.')).toBeVisible();
  const asked = page.waitForResponse(/\/payment$/);
  await page.clock.fastForward('00:12');
  await asked;
  await expect(page.getByText('Your payment is taking longer than usual to confirm.')).toBeVisible();
  await expect(page.getByText('Please do not pay again.')).toBeVisible();
  await expectAccessible(page);
  await shop.withDatabase(async (db) => void (await sql`drop function busy() cascade`.execute(db)));
  await page.clock.fastForward('00:06');
  const panel = panelOf(page);
  await expect(panel.getByRole('listitem')).toHaveText('Slow Sofa× 1£799.00');
  await expect(panel.getByRole('heading')).toHaveText(/^Your order \w{4}-\w{4} is placed$/);
  await expect(panel).toContainText('Goes toPat Payer2 Low RoadYorkYO1 7HHUnited Kingdom');
  await expect(panel).toContainText('Paid£799.00 by card. Nothing to pay on delivery.');
  await expect(page.getByText('Order Placed, thanks!!')).toBeVisible();
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  // As in another browser of a phone, after the bank's app.
  await page.evaluate(() => sessionStorage.clear());
  await page.reload();
  await expect(panel).toContainText('Paid£799.00 by card. Nothing to pay on delivery.');
  await page.evaluate(() => localStorage.clear());
  await page.reload();
  await expect(page.getByRole('link', { name: 'Log in to see your order' })).toBeVisible();
  await expect(panel).toHaveCount(0);
});

test('a payment that is not confirmed for minutes is no longer asked for by itself, and can be by hand; one that never came is told (§2.9.2)', {
  tag: '@thorough',
}, async ({ page, shop, logInAs }) => {
  const customer = await shop.aCustomer();
  await logInAs(customer);
  const sofa = await shop.aProduct({ name: 'Patient Sofa', price: '79900' });
  const { orderId } = await shop.call<{ orderId: string }>('POST', '/stripe/create-checkout-session', {
    token: customer.token,
    body: { orderItems: [{ ...sofa, image: '', qty: 1 }], customerID: customer._id },
  });
  await page.addInitScript(
    (draft) => sessionStorage.setItem('payingOrder', draft),
    JSON.stringify({ owner: customer._id, fields: { id: orderId } }),
  );
  await page.clock.install();
  await page.goto('/successPayment');
  await expect(page.getByText('We are confirming your payment.')).toBeVisible();
  await page.clock.fastForward('03:10');
  const again = page.getByRole('button', { name: 'Check again' });
  await expect(again).toBeVisible();
  await shop.withDatabase(async (db) => {
    await db.updateTable('orders').set({ status: 'expired' }).where('id', '=', orderId).execute();
  });
  await again.click();
  await expect(page.getByRole('alert')).toContainText('No payment has reached us for this order');
  await expectAccessible(page);
});
