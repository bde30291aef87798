import { expect, logOut, payWithCard, test } from './fixtures.ts';
import { expectFit } from './office.ts';

test('staff take an order by phone with the keyboard, at an agreed price; the customer pays it by the link of the mail, without a login (§20.16, §20.18)', async ({
  page,
  shop,
  logInAs,
  expectedOnConsole,
}) => {
  // The size is not chosen yet.
  expectedOnConsole.push(/400/);
  const sizes = JSON.stringify([
    { size: 'Two-seat', quantity: 9, price: 40_000 },
    { size: 'Three-seat', quantity: 9, price: 50_000 },
  ]);
  const colors = JSON.stringify(['#112233', '#c4a478'].map((hexCode) => ({ colorName: hexCode, hexCode })));
  await shop.aProduct({ name: 'Telephone Sofa', price: '40000', sizes, colors });
  const buyer = await shop.aCustomer('Rita Ring');
  await logInAs(await shop.admin());
  await page.goto('/admin/orderlist');
  await page.getByRole('link', { name: 'New order' }).click();
  await expect(page.getByRole('heading', { name: 'New order' })).toBeVisible();
  await page.getByLabel('Name or email of a customer').fill(buyer.email);
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: `Rita Ring, ${buyer.email}` }).press('Enter');
  await expect(page.getByLabel('Full name')).toHaveValue('Rita Ring');
  await page.getByLabel('Name or SKU of the product').fill('Telephone Sofa');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Add Telephone Sofa, £400.00' }).press('Enter');
  await expect(page.getByText('Please choose a size of Telephone Sofa')).toBeVisible();
  await page.getByLabel('Size').selectOption('Three-seat');
  await expect(page.getByLabel('Colour')).toHaveAccessibleDescription(/^Ask which colour\./);
  const agreed = page.getByLabel('Agreed price in pounds');
  await agreed.fill('2000000');
  await page.getByRole('button', { name: 'Place the order' }).press('Enter');
  await expect(agreed).toHaveAccessibleDescription(/The price can be at most £1,000,000.00/);
  await agreed.fill('450');
  await expect(agreed).not.toHaveAccessibleDescription(/at most/);
  await expect(page.getByText('agreed, instead of £500.00')).toBeVisible();
  await expect(page.getByText('Known customer: Rita Ring, 0 orders.')).toBeVisible();
  await expect(page.getByText('This order ends its password and logs it out')).toBeVisible();
  await shop.withDatabase(async (db) => {
    await db.updateTable('users').set({ isEmailConfirmed: true }).where('email', '=', buyer.email).execute();
  });
  await page.getByLabel('Payment link by email').check();
  await page.getByRole('button', { name: 'Place the order, £450.00' }).press('Enter');
  // What is missing is said at its field, and nothing is lost.
  await expect(page.getByLabel('Reason for the price')).toHaveAccessibleDescription(/is required/);
  await expectFit(page);
  await page.getByLabel('Reason for the price').fill('Scratch at the back');
  await page.getByLabel('Phone', { exact: true }).fill('07700 900123');
  await page.getByLabel('Address line 1').fill('1 High Street');
  await page.getByLabel('City').fill('Leeds');
  await page.getByLabel('Country').selectOption('United Kingdom');
  await page.getByLabel('ZIP code').fill('LS1 4AP');
  await page.getByRole('button', { name: 'Place the order, £450.00' }).press('Enter');
  await expect(page.getByText('The customer has a link to pay it by')).toBeVisible();
  await expect(page.getByText('Telephone Sofa (Three-seat): £500.00 → £450.00 (Scratch at the back)')).toBeVisible();
  await page.getByRole('button', { name: 'Mark as dispatched' }).click();
  const question = page.getByRole('dialog', { name: 'Not paid yet: £450.00. Dispatch it all the same?' });
  await expectFit(page);
  await question.getByRole('button', { name: 'Cancel' }).press('Enter');
  await expect(page.getByRole('button', { name: 'Dispatch', exact: true })).toHaveCount(0);
  await page.getByRole('button', { name: 'Mark as dispatched' }).click();
  await question.getByRole('button', { name: 'Mark as dispatched' }).click();
  await expect(page.getByRole('button', { name: 'Dispatch', exact: true })).toBeVisible();
  const [order] = await shop.ordersOf(buyer);
  await logOut(page);
  let link = '';
  await expect(async () => {
    link = /\/pay\/[\w-]+/.exec((await shop.mailsTo(buyer.email)).at(-1)?.text ?? '')?.[0] ?? '';
    expect(link).not.toBe('');
  }).toPass();
  await page.goto(link);
  await expect(page.getByText('If it is not paid, we cancel the order and you owe nothing.')).toBeVisible();
  await expect(page.getByText('1 × Telephone Sofa (Three-seat)')).toBeVisible();
  await expectFit(page);
  await page.getByRole('button', { name: 'Pay £450.00' }).click();
  await expect(page.getByText('1 × Telephone Sofa (Three-seat)')).toBeVisible();
  // The page knows nobody: the link may have been passed on.
  await page.getByLabel('Email').fill(buyer.email);
  await payWithCard(page);
  await expect(page.getByText('Thank you: £450.00 is paid.')).toBeVisible();
  await logInAs(buyer);
  await page.goto(`/order/${order?._id}`);
  await expect(page.getByText('Credit Card')).toBeVisible();
  await expect(page.getByText('Scratch at the back')).toHaveCount(0);
});
