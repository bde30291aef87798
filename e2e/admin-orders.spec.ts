import { readFile } from 'node:fs/promises';
import { shopDate, shopDay } from '../src/contract/market/shop-time.ts';
import { expect, expectAccessible, type Shop, test } from './fixtures.ts';
import { alertOf, anOrder, expectColumns, expectFit, find, rowOf } from './office.ts';

const GREEN = 'rgb(31, 107, 58)';
const RED = 'rgb(163, 35, 31)';
const TODAY = shopDay(new Date().toISOString());
const readOrder = async (shop: Shop, id: string) =>
  shop.call<{ isDelivered: boolean; isPaid: boolean }>('GET', `/api/orders/${id}`, { token: (await shop.admin()).token });

test('the order list shows OrderID, UserID, Date, Total undivided with a note in pounds, and leads to the details (§2.12.7, §9.3, §9.4, §10.1, §23.2)', async ({
  page,
  shop,
  logInAs,
}) => {
  const buyer = await shop.aCustomer('Olga Ordering');
  const order = await anOrder(shop, { buyer, product: await shop.aProduct({ price: '49999' }) });
  await logInAs(await shop.admin());
  await page.goto('/admin/orderlist/');
  await expectColumns(page, 'Orders', ['OrderID', 'UserID', 'Date', 'Total', 'Details']);
  const cells = rowOf(page, order._id).getByRole('cell');
  const [reference, customer] = [order.reference, `Olga Ordering${buyer.email}`];
  await expect(cells).toHaveText([
    '',
    new RegExp(`^${reference}`),
    customer,
    'Placed',
    order._id,
    buyer._id,
    TODAY,
    '£49999(£499.99)',
    'No',
    'Details',
  ]);
  await expectFit(page);
  const size = page.viewportSize();
  await page.setViewportSize({ width: 768, height: 1024 });
  for (const amount of ['£49999', '(£499.99)'])
    expect(await cells.getByText(amount, { exact: true }).evaluate((text) => text.getClientRects().length)).toBe(1);
  if (size) await page.setViewportSize(size);
  await page.getByRole('link', { name: `Details of the order of Olga Ordering, ${order.reference}` }).click();
  await expect(page).toHaveURL(`${shop.url}/admin/orderdetails/${order._id}`);
});

test('a line without a colour says Colour not chosen, on the screen and in the CSV (§10.3)', { tag: '@thorough' }, async ({
  page,
  shop,
  logInAs,
}) => {
  const colors = JSON.stringify(['#112233', '#445566'].map((value) => ({ colorName: value, hexCode: value })));
  const { _id } = await anOrder(shop, { product: await shop.aProduct({ colors }) });
  const admin = await shop.admin();
  await logInAs(admin);
  await page.goto(`/admin/orderdetails/${_id}`);
  await expect(page.getByText('Colour not chosen', { exact: true }).filter({ visible: true })).toHaveCount(1);
  const csv = await fetch(`${shop.url}/api/orders/export?search=${_id}`, { headers: { bearer: admin.token } });
  expect(await csv.text()).toContain('1 x Test Sofa, Colour not chosen');
});

test('the colour of a line stands on the order and its packing slip by its name, never by its code (§3.2)', { tag: '@thorough' }, async ({
  page,
  shop,
  logInAs,
}) => {
  const colors = JSON.stringify([{ colorName: '#47503b', hexCode: '#47503b' }]);
  const product = await shop.aProduct({ colors });
  const { _id } = await anOrder(shop, { product: { ...product, color: '#47503b' } });
  await logInAs(await shop.admin());
  await page.goto(`/admin/orderdetails/${_id}`);
  await expect(page.getByText('Moss', { exact: true }).filter({ visible: true })).toHaveCount(1);
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByRole('article', { name: 'Packing slip' }).getByText('Moss', { exact: true })).toBeVisible();
  await expect(page.getByText('#47503b')).toHaveCount(0);
});

test('orders come ten a page by currPage, and a page past the end becomes the last one (§2.12.7, §9.2)', { tag: '@thorough' }, async ({
  page,
  shop,
  logInAs,
}) => {
  const [buyer, product] = [await shop.aCustomer('Pam Pages'), await shop.aProduct()];
  const { token } = await shop.admin();
  for (let n = 0; n < 11; n += 1) {
    const { _id } = await anOrder(shop, { buyer, product });
    await shop.call('PUT', `/api/orders/${_id}/cash`, { token, body: { isPaid: true } });
  }
  await logInAs(await shop.admin());
  await page.goto(`/admin/orderlist/?search=${buyer._id}`);
  await expect(page.getByText('11 orders', { exact: true })).toBeVisible();
  await expect(page.getByRole('table', { name: 'Orders', exact: true }).getByRole('row')).toHaveCount(11);
  await page.getByRole('link', { name: 'Page 2' }).click();
  await expect(page).toHaveURL(/currPage=2/);
  await expect(rowOf(page, buyer._id)).toHaveCount(1);
  await page.goto(`/admin/orderlist/?search=${buyer._id}&currPage=50`);
  await expect(page).toHaveURL(/currPage=2$/);
});

test('orders are found by id, email and name, narrowed by payment, delivery and day, and sorted, all in the address', {
  tag: '@thorough',
}, async ({ page, shop, logInAs }) => {
  const [buyer, product] = [await shop.aCustomer('Finn Findme'), await shop.aProduct()];
  const small = await anOrder(shop, { buyer, product });
  const large = await anOrder(shop, { buyer, product, qty: 3 });
  const { token } = await shop.admin();
  await shop.call('PUT', `/api/orders/${small._id}/deliver`, { token, body: { isDelivered: true } });
  await shop.call('PUT', `/api/orders/${large._id}/cash`, { token, body: { isPaid: true } });
  await logInAs(await shop.admin());
  await page.goto('/admin/orderlist/');
  await find(page, small._id);
  await expect(page.getByText('1 order', { exact: true })).toBeVisible();
  for (const text of [buyer._id, buyer.email, 'finn find']) {
    await find(page, text);
    await expect(page).toHaveURL(new RegExp(`search=${encodeURIComponent(text).replaceAll('%20', '\\+')}`));
    await expect(rowOf(page, small._id)).toHaveCount(1);
    await expect(rowOf(page, large._id)).toHaveCount(1);
  }
  await page.getByLabel('Delivered').selectOption('Yes');
  await expect(rowOf(page, large._id)).toHaveCount(0);
  await expect(rowOf(page, small._id)).toHaveCount(1);
  await page.goBack();
  await page.getByLabel('Paid', { exact: true }).selectOption('Yes');
  await expect(rowOf(page, small._id)).toHaveCount(0);
  await expect(rowOf(page, large._id)).toHaveCount(1);
  await page.getByLabel('To', { exact: true }).fill('2020-01-01');
  await expect(page).toHaveURL(/to=2020-01-01/);
  await expect(page.getByText('Nothing to show.')).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Show everything' }).click();
  await page.goto(`/admin/orderlist/?search=${buyer._id}`);
  await page.getByLabel('Sort').selectOption('Largest total');
  await expect(page).toHaveURL(/sortBy=total/);
  await expect(page.getByRole('table', { name: 'Orders', exact: true }).getByRole('row').nth(1)).toContainText(large._id);
});

test('an order’s detail shows its items, summary, user, address, status and payment, and goes back to the list (§2.12.8, §9.3)', async ({
  page,
  shop,
  logInAs,
}) => {
  const buyer = await shop.aCustomer('Dana Detail');
  const product = await shop.aProduct({ name: 'Detailed Divan', price: '12345' });
  const order = await anOrder(shop, { buyer, product, qty: 2 });
  await logInAs(await shop.admin());
  await page.goto(`/admin/orderdetails/${order._id}`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Order ${order._id}`);
  const section = (name: string) => page.locator('section').filter({ has: page.getByRole('heading', { name, exact: true }) });
  await expect(section('Order Items')).toContainText('Detailed Divan');
  await expect(section('Order Items')).toContainText('2 x £12345(£123.45) = £24690(£246.90)');
  await expect(section('Order Summary')).toContainText('Subtotal£24690(£246.90)Shipping£0(£0.00)Total£24690(£246.90)');
  for (const text of ['Dana Detail', buyer.email, '07700 900123']) await expect(section('User Info')).toContainText(text);
  await expect(section('Shipping Address').locator('address > span')).toHaveText([
    '1 High Street',
    'Flat 2',
    'Leeds',
    'LS1 4AP',
    'United Kingdom',
  ]);
  await expect(section('Shipping Status').getByText('On the Way')).toHaveCSS('color', RED);
  await expect(section('Payment Method')).toContainText('Cash on Delivery');
  await expect(section('Payment Method').getByText('Not Paid')).toHaveCSS('color', RED);
  await expectFit(page);
  await page.getByRole('link', { name: 'Go Back' }).click();
  await expect(page).toHaveURL(`${shop.url}/admin/orderlist`);
});

test('an order is marked delivered and not delivered, says Update Succeed, and keeps who did it (§4.8)', async ({
  page,
  shop,
  logInAs,
}) => {
  const order = await anOrder(shop);
  await logInAs(await shop.admin());
  await page.goto(`/admin/orderdetails/${order._id}`);
  await page.getByRole('button', { name: 'Mark as delivered' }).click();
  await expect(page.getByText('Update Succeed', { exact: true })).toBeVisible();
  await expect(page.getByText(`Delivered at: ${TODAY}`)).toHaveCSS('color', GREEN);
  expect((await readOrder(shop, order._id)).isDelivered).toBe(true);
  await page.getByRole('button', { name: 'Mark as not delivered' }).click();
  await expect(page.getByText('On the Way')).toBeVisible();
  await expect(page.getByText('delivery taken back, Ada Admin')).toBeVisible();
  expect((await readOrder(shop, order._id)).isDelivered).toBe(false);
  await expectAccessible(page);
});

test('cash received is recorded with its date, and taken back (§2.12.8)', async ({ page, shop, logInAs }) => {
  const order = await anOrder(shop);
  await logInAs(await shop.admin());
  await page.goto(`/admin/orderdetails/${order._id}`);
  await page.getByRole('button', { name: 'Record cash received' }).click();
  await expect(page.getByText(`Paid at: ${TODAY}`)).toHaveCSS('color', GREEN);
  expect((await readOrder(shop, order._id)).isPaid).toBe(true);
  await page.getByRole('button', { name: 'Undo cash received' }).click();
  await expect(page.getByText('Not Paid')).toBeVisible();
  expect((await readOrder(shop, order._id)).isPaid).toBe(false);
});

test('an unknown order is said in a red alert (§8.1)', { tag: '@thorough' }, async ({ page, shop, logInAs, expectedOnConsole }) => {
  expectedOnConsole.push(/404/);
  await logInAs(await shop.admin());
  await page.goto('/admin/orderdetails/nothing');
  await expect(alertOf(page)).toHaveText('Order not found');
});

test('a list that cannot be loaded says so in a red alert and on the console (§8.3)', { tag: '@thorough' }, async ({
  page,
  shop,
  logInAs,
  expectedOnConsole,
}) => {
  const said: string[] = [];
  page.on('console', (message) => said.push(message.text()));
  expectedOnConsole.push(/500|The order list failed/);
  await page.route('**/api/orders?**', (route) => route.fulfill({ status: 500, json: { message: 'The shop is tired.' } }));
  await logInAs(await shop.admin());
  await page.goto('/admin/orderlist/');
  await expect(alertOf(page)).toHaveText('The shop is tired.');
  await expect.poll(() => said).toContain('The order list failed: The shop is tired.');
});

test('the sales panel shows thirty days as charts and as a table, the best sellers, and what awaits delivery', {
  tag: '@thorough',
}, async ({ page, shop, logInAs }) => {
  const product = await shop.aProduct({ name: 'Bestselling Bed', price: '100000', countInStock: '900' });
  await anOrder(shop, { product, qty: 99 });
  await logInAs(await shop.admin());
  await page.goto('/admin/orderlist/');
  const panel = page.getByRole('region', { name: 'Sales of the last 30 days' });
  await expect(
    panel.getByRole('img', { name: new RegExp(`^Revenue per day: £[\\d,.]+ in 30 days, most on ${shopDate(TODAY)}`) }),
  ).toBeVisible();
  await expect(
    panel.getByRole('img', { name: new RegExp(`^Orders per day: \\d+ orders? in 30 days, most on ${shopDate(TODAY)}`) }),
  ).toBeVisible();
  await expect(panel.getByRole('listitem').filter({ hasText: 'Bestselling Bed' })).toContainText(/\d+ pieces, £[\d,]+\.00/);
  await panel.getByText('Show the days as a table').click();
  await expect(panel.getByRole('table', { name: 'Orders and revenue per day' }).getByRole('row')).toHaveCount(31);
  await expect(panel.getByRole('row').nth(1)).toContainText(shopDate(TODAY));
  await expectFit(page);
  const waiting = await panel.getByRole('link', { name: /^\d+ orders? awaiting delivery$/ }).textContent();
  await panel.getByRole('link', { name: /awaiting delivery$/ }).click();
  await expect(page).toHaveURL(/delivered=false/);
  await expect(page.getByRole('status').filter({ hasText: /^\d+ orders?$/ })).toHaveText(String(waiting).replace(' awaiting delivery', ''));
});

test('several orders are chosen with the keyboard and marked delivered in one request, with a mail each', { tag: '@thorough' }, async ({
  page,
  shop,
  logInAs,
}) => {
  const [buyer, product] = [await shop.aCustomer('Bulk Buyer'), await shop.aProduct()];
  const orders = [
    await anOrder(shop, { buyer, product }),
    await anOrder(shop, { buyer, product }),
    await anOrder(shop, { buyer, product }),
  ];
  await logInAs(await shop.admin());
  await page.goto(`/admin/orderlist/?search=${buyer._id}`);
  const mark = page.getByRole('button', { name: 'Mark as delivered' });
  await expect(mark).toBeDisabled();
  await page.getByRole('checkbox', { name: new RegExp(`^Select the order of Bulk Buyer, ${orders[0]?.reference}$`) }).focus();
  await page.keyboard.press('Space');
  await expect(page.getByText('1 selected')).toBeVisible();
  await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
  await expect(page.getByText('3 selected')).toBeVisible();
  await page.getByRole('checkbox', { name: new RegExp(`${orders[2]?.reference}$`) }).uncheck();
  await expectFit(page);
  const requests: string[] = [];
  page.on('request', (request) => request.method() === 'PUT' && requests.push(new URL(request.url()).pathname));
  await mark.click();
  const dialog = page.getByRole('dialog', { name: 'Confirm deliveries' });
  await expect(dialog).toContainText('2 orders will be marked as delivered, and 2 emails sent to customers after ten minutes.');
  await expect(dialog).toContainText('2 orders have not been dispatched yet.');
  await expectAccessible(page);
  await expectFit(page);
  await dialog.getByRole('button', { name: 'Close' }).click();
  await expect(page.getByText('2 selected')).toBeVisible();
  expect((await readOrder(shop, String(orders[0]?._id))).isDelivered).toBe(false);
  await mark.click();
  await dialog.getByRole('button', { name: 'Mark 2 orders as delivered' }).click();
  await expect(page.getByText('2 orders marked as delivered.')).toBeVisible();
  expect(requests).toEqual(['/api/orders/deliver', '/api/orders/deliver', '/api/orders/deliver']);
  await expect(rowOf(page, String(orders[0]?._id)).getByRole('cell').nth(3)).toHaveText(`Delivered${TODAY}`);
  await expect(rowOf(page, String(orders[2]?._id)).getByRole('cell').nth(3)).toHaveText('Placed');
  await expect(page.getByText('0 selected')).toBeVisible();
  const admin = (await shop.admin()).name;
  const batch = page.getByText(`${admin} marked 2 orders as delivered. The emails leave at`).first();
  await page.reload();
  await batch.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByText('2 orders are no longer marked as delivered. No email was sent.')).toBeVisible();
  await expect(rowOf(page, String(orders[0]?._id)).getByRole('cell').nth(3)).toHaveText('Placed');
  expect((await shop.mailsTo(buyer.email)).filter(({ subject }) => subject?.endsWith('was delivered'))).toEqual([]);
  await shop.call('PUT', `/api/orders/${orders[0]?._id}/deliver`, { token: (await shop.admin()).token, body: { isDelivered: true } });
  await page.reload();
  await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
  await page.getByRole('button', { name: 'Mark as not delivered' }).click();
  await expect(page.getByText('1 order marked as not delivered.')).toBeVisible();
});

test('the orders that the filters find are exported as CSV', { tag: '@thorough' }, async ({ page, shop, logInAs }) => {
  const buyer = await shop.aCustomer('=Evil Exporter');
  const order = await anOrder(shop, { buyer });
  await logInAs(await shop.admin());
  await page.goto(`/admin/orderlist/?search=${buyer._id}`);
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Export CSV' }).click()]);
  expect(file.suggestedFilename()).toBe('orders.csv');
  const lines = (await readFile(await file.path(), 'utf8')).trim().split('\r\n');
  expect(lines).toHaveLength(2);
  expect(lines[0]).toContain('OrderID,UserID,Date,Name');
  expect(lines[1]).toContain(`${order._id},${buyer._id},`);
  expect(lines[1]).toContain(",'=Evil Exporter,");
});
