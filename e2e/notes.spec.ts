import { fillCart, fillCheckout } from './buyer.ts';
import { expect, expectAccessible, expectToast, panelOf, test } from './fixtures.ts';
import { anOrder, expectFit } from './office.ts';

test('a customer tells the driver something at the checkout and changes it on the order; staff see it, also on the packing slip (§23.4)', async ({
  page,
  shop,
  logInAs,
}) => {
  await fillCart(page, await shop.aProduct());
  const buyer = await shop.aCustomer('Nora Note');
  await logInAs(buyer);
  await page.goto('/checkout');
  await fillCheckout(page);
  await page.getByLabel('Note for the driver').fill('Gate code 1234');
  await page.getByRole('button', { name: 'Place order' }).click();
  await expectToast(page, 'Order placed successfully!');
  const id = (await shop.ordersOf(buyer))[0]?._id ?? '';
  await page.goto(`/order/${id}`);
  await expect(page.getByText('For the driver: Gate code 1234')).toBeVisible();
  await page.getByRole('button', { name: 'Change the note' }).click();
  await page.getByLabel('Note for the driver').fill('Ring twice');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Save note' }).click();
  await expect(page.getByText('For the driver: Ring twice')).toBeVisible();

  await logInAs(await shop.admin());
  await page.goto(`/admin/orderdetails/${id}`);
  await expect(page.getByText('For the driver: Ring twice').filter({ visible: true })).toHaveCount(1);
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByRole('article', { name: /^Packing slip/ })).toContainText('For the driver: Ring twice');
});

test('staff note something about a customer on one order, and find it on the next and on the customer (§23.5)', {
  tag: '@thorough',
}, async ({ page, shop, logInAs }) => {
  const buyer = await shop.aCustomer('Lana Lift');
  const [first, second] = [
    await anOrder(shop, { buyer, product: await shop.aProduct() }),
    await anOrder(shop, { buyer, product: await shop.aProduct() }),
  ];
  await logInAs(await shop.admin());
  await page.goto(`/admin/orderdetails/${first._id}`);
  const notes = panelOf(page, 'Staff notes');
  await notes.getByRole('button', { name: 'Add note' }).click();
  await expect(notes.getByLabel('New note')).toHaveAccessibleDescription(/^Write a note\./);
  await notes.getByLabel('New note').fill('Third floor, no lift');
  await notes.getByLabel('About the customer: show it on all of their orders').check();
  await notes.getByRole('button', { name: 'Add note' }).click();
  await expect(notes.getByRole('listitem')).toContainText('Third floor, no lift');
  await expect(notes.getByLabel('New note')).toHaveValue('');
  await expectAccessible(page);
  await page.goto(`/admin/orderdetails/${second._id}`);
  await expect(notes.getByRole('listitem')).toContainText('about the customer');
  await page.goto(`/admin/editUser/${buyer._id}`);
  await expect(notes.getByRole('listitem')).toContainText('Third floor, no lift');
  await expectFit(page);
  await notes.getByRole('button', { name: /^Delete the note of/ }).click();
  await expect(notes.getByRole('listitem')).toHaveCount(0);
});

test('staff change where and when an order is delivered, and read in its history what it was before (§20.13)', {
  tag: '@thorough',
}, async ({ page, shop, logInAs }) => {
  const { _id } = await anOrder(shop);
  await logInAs(await shop.admin());
  await page.goto(`/admin/orderdetails/${_id}`);
  const panel = panelOf(page, 'Shipping Address');
  await panel.getByRole('button', { name: 'Change delivery details' }).press('Enter');
  await expect(panel.getByLabel('Full name')).toBeFocused();
  await panel.getByLabel('Phone').fill('12');
  await panel.getByLabel('Address line 1').fill('2 Low Road');
  await panel.getByRole('button', { name: 'Save delivery details' }).click();
  await expect(panel.getByLabel('Phone')).toHaveAccessibleDescription(/Phone number/);
  await panel.getByLabel('Phone').fill('07700 900999');
  await expectFit(page);
  await panel.getByRole('button', { name: 'Save delivery details' }).click();
  await expect(panel.getByText('2 Low Road')).toBeVisible();
  await expect(page.getByText(/address: 1 High Street.* → 2 Low Road/)).toBeVisible();
});

test('staff tag an order and its customer, narrow the lists by a tag, and read it on the picking list (§23.9)', {
  tag: '@thorough',
}, async ({ page, shop, logInAs }) => {
  const buyer = await shop.aCustomer('Tara Tag');
  const { _id, reference } = await anOrder(shop, { buyer, product: await shop.aProduct() });
  await logInAs(await shop.admin());
  await page.goto(`/admin/orderdetails/${_id}`);
  const tags = panelOf(page, 'Tags');
  await tags.getByRole('button', { name: 'Add tag' }).click();
  await expect(tags.getByLabel('New tag')).toHaveAccessibleDescription(/is required/);
  await tags.getByLabel('New tag').fill('Gift wrap');
  await page.keyboard.press('Enter');
  await expect(tags.getByRole('listitem')).toHaveText('Gift wrap');
  await tags.getByLabel('New tag').fill('Regular');
  await tags.getByLabel('On the customer: all of their orders have it').check();
  await tags.getByRole('button', { name: 'Add tag' }).press('Enter');
  await expect(tags.getByText('Customer: Regular')).toBeVisible();
  await expectFit(page);
  await page.goto('/admin/orderlist');
  await page.getByLabel('Tag', { exact: true }).selectOption('Gift wrap');
  await expect(page.getByText('1 order', { exact: true })).toBeVisible();
  await expect(page.getByRole('row').filter({ hasText: reference })).toContainText('Gift wrap');
  await expectFit(page);
  await page.getByRole('link', { name: 'Picking list for all found' }).click();
  await expect(page.getByRole('table', { name: 'Pieces to pick' })).toContainText(`1 × ${reference} (Gift wrap)`);
  await page.goto('/admin/find?q=regular');
  await page.locator('#main').getByRole('link', { name: 'Customers', exact: true }).click();
  await expect(page.getByRole('row').filter({ hasText: buyer.email })).toContainText('Regular');
  await expectFit(page);
  await page.goto(`/admin/editUser/${buyer._id}`);
  await tags.getByRole('button', { name: 'Remove the tag Regular' }).press('Enter');
  await expect(tags.getByRole('listitem')).toHaveCount(0);
});

test('an email about an order is looked at and sent again from its screen (§20.17)', { tag: '@thorough' }, async ({
  page,
  shop,
  logInAs,
  expectedOnConsole,
}) => {
  expectedOnConsole.push(/409/);
  const buyer = await shop.aCustomer('Mila Mail');
  const order = await anOrder(shop, { buyer, product: await shop.aProduct() });
  await expect.poll(async () => (await shop.mailsTo(buyer.email)).length).toBeGreaterThan(0);
  await logInAs(await shop.admin());
  await page.goto(`/admin/orderdetails/${order._id}`);
  const emails = panelOf(page, 'Emails');
  await expect(emails).toContainText(`to ${buyer.email}`);
  await emails.getByRole('button', { name: /^Show the email/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Email' });
  await dialog.getByRole('checkbox', { name: 'As plain text' }).check();
  await expect(dialog.getByRole('region', { name: 'The email' })).toContainText('Hello');
  await expectAccessible(page);
  await expectFit(page);
  await dialog.getByRole('button', { name: 'Send it again' }).click();
  await expect(dialog.getByText(/This email was sent a moment ago/)).toBeVisible();
});
