import type { Page } from '@playwright/test';
import { expect, expectAccessible, expectNoSidewaysScroll, test } from './fixtures.ts';

const PUBLIC = [
  { path: '/', heading: 'Transform Your Space with Stylish & Comfortable Furniture', title: 'Welcome to Hearth & Oak' },
  { path: '/newarrivals', heading: 'New Arrivals', title: 'New Arrivals | Hearth & Oak' },
  { path: '/shop', heading: 'All Products', title: 'All Products | Hearth & Oak' },
  { path: '/shop?query=Sofa', heading: 'Sofa', title: 'Sofa | Hearth & Oak' },
  { path: '/shop?search=qqqqqq', heading: 'Show Search Result: qqqqqq', title: 'qqqqqq' },
  { path: '/cart', heading: 'Cart', title: 'Cart | Hearth & Oak' },
  { path: '/successPayment', heading: 'Thank You For Your Payment!', title: 'Thank you | Hearth & Oak' },
  { path: '/login', heading: 'Log In', title: 'Log In | Hearth & Oak' },
  { path: '/register', heading: 'Sign Up', title: 'Sign Up | Hearth & Oak' },
  { path: '/forget-password', heading: 'Forgot your password?', title: 'Forgot your password? | Hearth & Oak' },
  { path: '/verify-otp', heading: 'Enter the code', title: 'Enter the code | Hearth & Oak' },
  { path: '/change-password', heading: 'Choose a new password', title: 'Choose a new password | Hearth & Oak' },
  { path: '/privacy', heading: 'Privacy policy', title: 'Privacy policy | Hearth & Oak' },
  { path: '/legal', heading: 'Terms of service', title: 'Terms of service | Hearth & Oak' },
  { path: '/refund-policy', heading: 'Refund policy', title: 'Refund policy | Hearth & Oak' },
  { path: '/shipping-policy', heading: 'Shipping policy', title: 'Shipping policy | Hearth & Oak' },
  { path: '/contact', heading: 'Contact information', title: 'Contact information | Hearth & Oak' },
];

/** Accessible on a desktop and on a phone, and nothing sticks out to the side on the smallest screens. */
async function expectEveryWidth(page: Page): Promise<void> {
  await expectAccessible(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
}

for (const { path, heading, title } of PUBLIC) {
  test(`${path} shows its heading and title, and satisfies axe and fits on large and small screens (§2.1.1, §2.4.1, §2.6.2)`, async ({
    page,
  }) => {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(heading);
    await expect(page).toHaveTitle(title);
    await expectEveryWidth(page);
  });
}

const SIGNED_IN = ['/checkout', '/profile', '/orders'];
for (const path of SIGNED_IN) {
  test(`${path} satisfies axe and fits on large and small screens (§2.1.2, §2.1.3)`, async ({ page, shop, logInAs }) => {
    await logInAs(await shop.aCustomer());
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expectEveryWidth(page);
  });
}

const ADMIN = ['/admin/userlist', '/admin/productlist/', '/admin/orderlist/', '/admin/createproduct/'];
for (const path of ADMIN) {
  test(`${path} satisfies axe and fits on large and small screens`, async ({ page, shop, logInAs }) => {
    await logInAs(await shop.admin());
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(page.getByRole('status', { name: /^Loading/ })).toHaveCount(0);
    await expectEveryWidth(page);
  });
}

test('any other path is the 404 page, with its status and a way home (§2.1.5)', async ({ page, expectedOnConsole }) => {
  expectedOnConsole.push(/404/);
  const reply = await page.goto('/no/such/page');
  expect(reply?.status()).toBe(404);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Sorry, Page not Found');
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Back to the home page' }).click();
  await expect(page).toHaveTitle('Welcome to Hearth & Oak');
});

test('paths have one spelling, but for the slash at the end (§2.1.4)', async ({ page, expectedOnConsole }) => {
  // The router warns of the path that cannot be decoded.
  expectedOnConsole.push(/404/, /could not be decoded/);
  const { origin } = new URL((await page.request.get('/')).url());
  for (const path of ['//', '//shop', '/shop//', '/SHOP', '/Cart', '/%E0%A4%A']) {
    const reply = await page.goto(origin + path);
    expect([path, reply?.status()]).toEqual([path, 404]);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Sorry, Page not Found');
    await expect(page.locator('html[data-ready]')).toBeAttached();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Sorry, Page not Found');
  }
  for (const path of ['/shop/', '/cart/', '/newarrivals/', '/shop/?query=Sofa']) {
    expect([path, (await page.goto(path))?.status()]).toEqual([path, 200]);
    await expect(page.locator('html[data-ready]')).toBeAttached();
    await expect(page.getByRole('heading', { level: 1 })).not.toHaveText('Sorry, Page not Found');
  }
});

test('a product that is not there shows the message in a red alert, with status 404 (§2.7.1)', async ({ page, expectedOnConsole }) => {
  expectedOnConsole.push(/404/);
  const reply = await page.goto('/product/nothing');
  expect(reply?.status()).toBe(404);
  await expect(page.getByRole('alert')).toHaveText('Product not found');
  await expectAccessible(page);
});

test('the search overlay takes the focus, satisfies axe, offers the popular searches and gives the focus back', { tag: '@phone' }, async ({
  page,
}) => {
  await page.goto('/');
  const opener = page.getByRole('button', { name: 'Search' });
  await opener.click();
  await expect(page.getByRole('combobox', { name: 'Search the shop' })).toBeFocused();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(opener).toBeFocused();
  await opener.click();
  await page.getByRole('link', { name: 'Table Decor' }).click();
  await expect(page).toHaveURL(/\/shop\?search=table%20decor$/);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Show Search Result: table decor');
  await expect(page.getByRole('dialog')).toHaveCount(0);
});

test('the header’s links lead where the specification says, in a drawer on small screens (§2.3.2)', { tag: '@phone' }, async ({
  page,
  isMobile,
}) => {
  await page.goto('/cart');
  for (const [name, url] of [
    ['Home', /\/$/],
    ['New Arrivals', /\/newarrivals$/],
    ['Sofa', /\/shop\?query=Sofa$/],
    ['Wardrobe', /\/shop\?query=Wardrobe$/],
    ['All Products', /\/shop$/],
  ] as const) {
    if (isMobile) {
      await page.getByRole('button', { name: 'Menu' }).click();
      await expectAccessible(page);
    }
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name, exact: true }).click();
    await expect(page).toHaveURL(url);
    await expect(page.getByRole('dialog')).toHaveCount(0);
  }
});

test('the guards send visitors to the login, and others than administrators home (§1.2, §2.2.1, §2.2.2)', async ({
  page,
  shop,
  logInAs,
}) => {
  for (const [path, target] of [
    ['/profile', '/login?redirect=profile'],
    ['/orders', '/login?redirect=orders'],
    ['/order/1', '/login'],
    ['/admin/userlist', '/'],
  ] as const) {
    await page.goto(path);
    await expect(page).toHaveURL(shop.url + target);
  }
  await logInAs(await shop.aCustomer());
  await page.goto('/admin/orderlist');
  await expect(page).toHaveURL(`${shop.url}/`);
});

test('without scripts catalogue pages can be read, and the login sends no password anywhere (§2.1.7)', async ({ browser, shop }) => {
  const context = await browser.newContext({ javaScriptEnabled: false, baseURL: shop.url, viewport: { width: 390, height: 844 } });
  const page = await context.newPage();
  await page.goto('/login');
  await expect(page.locator('#main noscript p')).toHaveText(/^This form needs JavaScript/);
  await page.getByLabel('Email').fill('someone@example.com');
  await page.getByLabel('Password', { exact: true }).fill('Secret-horse-1');
  const requests: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  await page.getByLabel('Password', { exact: true }).press('Enter');
  await page.getByRole('button', { name: 'Log In' }).click();
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Sofa' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Sofa');
  expect(requests[0]).toBe(`${shop.url}/shop?query=Sofa`);
  await expect(page.getByRole('link', { name: 'Oslo Sofa' })).toBeVisible();
  await page.getByRole('link', { name: 'Oslo Sofa' }).click();
  await expect(page.getByText('£1,299.00').first()).toBeVisible();
  await expect(page.getByRole('table').first()).toBeVisible();
  await page.goto('/shop');
  await page.getByRole('link', { name: 'Page 2' }).click();
  await expect(page).toHaveURL(`${shop.url}/shop?currPage=2`);
  await expect(page.getByText(/^Page 2 of \d+, \d+ products$/)).toBeVisible();
  await context.close();
});

test('the line that says nothing is charged stands above every screen, stays when screens change, and covers nothing (§14.3)', async ({
  page,
  shop,
}) => {
  await page.goto('/');
  const line = page.getByText('Payment sandbox: nothing is charged');
  const header = page.getByRole('banner');
  for (const [width, height] of [
    [320, 640],
    [390, 844],
    [1280, 800],
  ] as const) {
    await page.setViewportSize({ width, height });
    await page.evaluate(() => window.scrollTo(0, 0));
    await expect(line).toBeVisible();
    const [above, below] = [await line.boundingBox(), await header.boundingBox()];
    expect(above?.y).toBe(0);
    expect(above?.height).toBeLessThan(32);
    expect(below?.y).toBeGreaterThanOrEqual((above?.y ?? 0) + (above?.height ?? 0));
  }
  await page.getByRole('contentinfo').getByRole('link', { name: 'Contact' }).click();
  await expect(page).toHaveURL(`${shop.url}/contact`);
  await expect(line).toHaveCount(1);
});
