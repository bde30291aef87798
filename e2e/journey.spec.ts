import { ADMIN, expect, expectToast, logIn, logOut, payByCard, test } from './fixtures.ts';

// Each step of the desktop has a test of its own.
for (const { device, tag } of [
  { device: 'phone', tag: '@touch' },
  { device: 'desktop', tag: '@thorough' },
])
  test(`a visitor on a ${device} finds a sofa, chooses, registers, pays by card and sees the order; an administrator delivers it (§1.1, §2.8.3, §2.10.2, §17.3)`, {
    tag,
  }, async ({ page, shop }) => {
    const email = `journey-${Date.now()}-${device}@example.com`;
    await page.goto('/');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Transform Your Space with Stylish & Comfortable Furniture');
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByRole('combobox', { name: 'Search the shop' }).fill('oslo sofa');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Show Search Result: oslo sofa');
    await page.getByRole('link', { name: 'Oslo Sofa' }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Oslo Sofa');
    await page.getByRole('radio').first().check();
    await page.getByRole('button', { name: 'Add To Cart' }).click();
    await expect(page.getByRole('link', { name: 'Cart, 1 item' })).toBeVisible();

    await page.getByRole('link', { name: 'Cart, 1 item' }).click();
    await page.getByRole('button', { name: 'Checkout' }).click();
    await expect(page).toHaveURL(/\/login\?redirect=cart$/);
    await page.getByRole('link', { name: 'Create an account' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Joni Journey');
    await page.getByLabel('Email Address').fill(email);
    await page.getByLabel('Password', { exact: true }).fill('Correct-horse-1');
    await page.getByLabel('Confirm Password', { exact: true }).fill('Correct-horse-1');
    await page.getByRole('button', { name: 'Register' }).click();
    await expect(page).toHaveURL(/\/cart$/);

    await page.getByRole('button', { name: 'Checkout' }).click();
    await expect(page.getByText('Payment sandbox')).toBeVisible();
    await payByCard(page);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Thank You For Your Payment!');
    await expect(page.getByText('Order Placed, thanks!!')).toBeVisible();
    await expect(page.getByRole('link', { name: 'Cart, 0 items' })).toBeVisible();

    await page.goto('/orders');
    await page.getByRole('link', { name: /^Order Details/ }).click();
    await expect(page.getByText('On the Way')).toBeVisible();
    await expect(page.getByText('Credit Card')).toBeVisible();
    await expect(page.getByText(/^Paid at: \d{4}-\d{2}-\d{2}$/)).toBeVisible();
    const title = await page.getByRole('heading', { level: 1, name: /^Order \w{4}-\w{4}$/ }).textContent();
    const reference = title?.slice('Order '.length);
    await expect
      .poll(async () => (await shop.mailsTo(email)).map(({ subject }) => subject))
      .toContainEqual(expect.stringContaining('Thank you for your order'));

    await logOut(page);
    await expect(page).toHaveURL(`${shop.url}/login`);
    // The same entry of the history: nothing in it leads the next account to this order.
    await page.goto('/login');
    await logIn(page, ADMIN);
    await expect(page).toHaveURL(`${shop.url}/`);
    await page.getByRole('button', { name: 'Account' }).click();
    await page.getByRole('link', { name: 'Orders', exact: true }).click();
    await page.getByRole('link', { name: `Details of the order of Joni Journey, ${reference}` }).click();
    await page.getByRole('button', { name: 'Mark as delivered' }).click();
    await expect(page.getByText('Update Succeed')).toBeVisible();
    await expect(page.getByText(/^Delivered at: \d{4}-\d{2}-\d{2}$/)).toBeVisible();
    await expect.poll(async () => (await shop.mailsTo('pat@example.com')).length + (await shop.mailsTo(email)).length).toBeGreaterThan(1);
  });

test('a customer orders cash on delivery (§2.8.3)', { tag: '@thorough' }, async ({ page, shop, logInAs }) => {
  const sofa = await shop.aProduct({ name: 'Cash Sofa', price: '79900' });
  await logInAs(await shop.aCustomer());
  await page.goto(`/product/${sofa._id}`);
  await page.getByRole('button', { name: 'One more Cash Sofa' }).click();
  await page.getByRole('button', { name: 'Add To Cart' }).click();
  await page.goto('/cart');
  await expect(page.getByText('£1,598.00').first()).toBeVisible();
  await page.getByRole('button', { name: 'Cash on delivery' }).click();
  await page.getByLabel('Phone').fill('07700 900123');
  await page.getByLabel('Address line 1').fill('1 High Street');
  await page.getByLabel('City').fill('Leeds');
  await page.getByLabel('State').fill('West Yorkshire');
  await page.getByLabel('ZIP code').fill('LS1 4AP');
  await page.getByLabel('Country').selectOption('United Kingdom');
  await page.getByRole('button', { name: 'Place order' }).click();
  await expectToast(page, 'Order placed successfully!');
  await expect(page).toHaveURL(`${shop.url}/`);
  await expect(page.getByRole('link', { name: 'Cart, 0 items' })).toBeVisible();
  await page.goto('/orders');
  await expect(page.getByText('$1,598.00')).toBeVisible();
  await expect(page.getByText('1. Cash Sofa')).toBeVisible();
});

test('a declined card can be followed by another, and an abandoned payment leaves the cart as it was (§14.3)', async ({
  page,
  shop,
  logInAs,
  expectedOnConsole,
}) => {
  // The hosted page answers a declined card with 402, which the browser notes.
  expectedOnConsole.push(/402/);
  const sofa = await shop.aProduct({ name: 'Declined Sofa' });
  await logInAs(await shop.aCustomer());
  await page.goto(`/product/${sofa._id}`);
  await page.getByRole('button', { name: 'Add To Cart' }).click();
  await page.goto('/cart');
  await page.getByRole('button', { name: 'Checkout' }).click();
  await payByCard(page, '4000 0000 0000 0002');
  await expect(page.getByRole('alert')).toContainText('Your card was declined');
  await page.getByRole('link', { name: 'Cancel and go back to the shop' }).click();
  await expect(page).toHaveURL(/\/cart$/);
  await expect(page.getByRole('status').getByText('Payment cancelled. Nothing was charged.')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Declined Sofa' })).toBeVisible();
  await page.getByRole('button', { name: 'Checkout' }).click();
  await payByCard(page);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Thank You For Your Payment!');
});
