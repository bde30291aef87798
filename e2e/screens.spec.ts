import type { Page } from '@playwright/test';
import { expect, expectAccessible, expectNoSidewaysScroll, test } from './fixtures.ts';

const PUBLIC = [
  { path: '/', heading: 'Transform Your Space with Stylish & Comfortable Furniture', title: 'Welcome to Hearth & Oak' },
  { path: '/newarrivals', heading: 'New Arrivals', title: 'New Arrivals | Hearth & Oak' },
  { path: '/shop?currPage=2', heading: 'All Products', title: 'All Products, page 2 | Hearth & Oak' },
  { path: '/shop?search=qqqqqq', heading: 'Show Search Result: qqqqqq', title: 'qqqqqq' },
  { path: '/cart', heading: 'Cart', title: 'Cart | Hearth & Oak' },
  { path: '/successPayment?session_id=cs_1', heading: 'Thank You For Your Payment!', title: 'Thank you | Hearth & Oak' },
  { path: '/login', heading: 'Log In', title: 'Log In | Hearth & Oak' },
  { path: '/register', heading: 'Sign Up', title: 'Sign Up | Hearth & Oak' },
  { path: '/forget-password', heading: 'Forgot your password?', title: 'Forgot your password? | Hearth & Oak' },
  { path: '/privacy', heading: 'Privacy policy', title: 'Privacy policy | Hearth & Oak' },
  { path: '/contact', heading: 'Contact information', title: 'Contact information | Hearth & Oak' },
];

/** Laid out like one of those. */
const ALIKE = [
  // As the catalogue spells it.
  { path: '/shop?query=table+decor', heading: 'Table Decor', title: 'Table Decor | Hearth & Oak' },
  { path: '/verify-otp', heading: 'Enter the code', title: 'Enter the code | Hearth & Oak' },
  { path: '/change-password', heading: 'Choose a new password', title: 'Choose a new password | Hearth & Oak' },
  { path: '/legal', heading: 'Terms of service', title: 'Terms of service | Hearth & Oak' },
  { path: '/refund-policy', heading: 'Refund policy', title: 'Refund policy | Hearth & Oak' },
  { path: '/shipping-policy', heading: 'Shipping policy', title: 'Shipping policy | Hearth & Oak' },
];

const SIGNED_IN = [
  '/checkout',
  '/profile',
  '/orders',
  '/admin/userlist',
  '/admin/productlist/',
  '/admin/orderlist/',
  '/admin/createproduct/',
  '/admin/createorder',
];

/** Accessible on a desktop and on a phone, and nothing sticks out to the side on the smallest screens. */
async function expectEveryWidth(page: Page): Promise<void> {
  const size = page.viewportSize();
  await expectAccessible(page);
  await page.setViewportSize({ width: 390, height: 844 });
  // The colours are those of the desktop, and looking at them is half the work.
  await expectAccessible(page, { 'color-contrast': { enabled: false } });
  await expectNoSidewaysScroll(page);
  if (size) await page.setViewportSize(size);
}

/** Opens a screen, also with parameters that it does not know, as links in mails and advertisements have. */
const open = (page: Page, path: string) => page.goto(`${path}${path.includes('?') ? '&' : '?'}gclid=1&utm_source=mail`);

for (const { which, screens, tag } of [
  { which: 'every kind of public screen', screens: PUBLIC, tag: [] },
  { which: 'every other public screen', screens: ALIKE, tag: '@thorough' },
])
  test(`${which} shows its heading and title, and satisfies axe and fits on large and small screens (§2.1.1, §2.4.1, §2.6.2, §2.6.4, U50)`, {
    tag,
  }, async ({ page }) => {
    for (const { path, heading, title } of screens)
      await test.step(path, async () => {
        await open(page, path);
        await expect(page.getByRole('heading', { level: 1 })).toHaveText(heading);
        await expect(page).toHaveTitle(title);
        await expect(page.locator('#main').getByRole('alert')).toHaveCount(0);
        await expectEveryWidth(page);
      });
  });

// axe looks at each of these screens in its own file as well, on the desktop.
for (const { what, check, tag } of [
  { what: 'opens and fits on the smallest screens', check: expectNoSidewaysScroll, tag: [] },
  { what: 'satisfies axe on large and small screens', check: expectEveryWidth, tag: '@thorough' },
])
  test(`every screen of an account and of the back office ${what} (§2.1.2, §2.1.3)`, { tag }, async ({ page, shop, logInAs }) => {
    await logInAs(await shop.admin());
    for (const path of SIGNED_IN)
      await test.step(path, async () => {
        await open(page, path);
        await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
        await expect(page.getByRole('status', { name: /^Loading/ })).toHaveCount(0);
        await expect(page.locator('#main').getByRole('alert')).toHaveCount(0);
        await check(page);
      });
  });

test('any other path is the 404 page, with its status and a way home (§2.1.5)', async ({ page, expectedOnConsole }) => {
  expectedOnConsole.push(/404/);
  const reply = await page.goto('/no/such/page');
  expect(reply?.status()).toBe(404);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Sorry, Page not Found');
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Back to the home page' }).click();
  await expect(page).toHaveTitle('Welcome to Hearth & Oak');
});

test('a product that is not there shows the message in a red alert, with status 404 (§2.7.1)', async ({ page, expectedOnConsole }) => {
  expectedOnConsole.push(/404/);
  const reply = await page.goto('/product/nothing');
  expect(reply?.status()).toBe(404);
  await expect(page.getByRole('alert')).toHaveText('Product not found');
  await expectAccessible(page);
});

test('the guards send visitors to the login, and others than administrators home (§1.2, §2.2.1, §2.2.2)', async ({
  page,
  shop,
  logInAs,
}) => {
  for (const [path, target] of [
    ['/profile', '/login?redirect=profile'],
    ['/orders', '/login?redirect=orders'],
    ['/checkout', '/login?redirect=cart'],
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

test('without scripts catalogue pages can be read, and the login sends no password anywhere (§2.1.7, U8)', async ({ browser, shop }) => {
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
  // All pictures, without a swipe that a mouse cannot make.
  const pictures = page.getByRole('list', { name: 'Pictures of Oslo Sofa' }).getByRole('img');
  expect((await pictures.last().boundingBox())?.x).toBeLessThan(390);
  await page.goto('/cart');
  await expect(page.locator('#main noscript p')).toContainText('To order without it, call us on 0');
  await expect(page.getByRole('status', { name: 'Loading' })).toBeHidden();
  for (const [path, title] of [
    ['/checkout', 'Checkout'],
    ['/orders', 'Your account'],
  ] as const) {
    await page.goto(path);
    await expect(page.locator('#main noscript h1')).toHaveText(title);
  }
  await page.goto('/shop');
  await page.getByRole('link', { name: 'Page 2' }).click();
  await expect(page).toHaveURL(`${shop.url}/shop?currPage=2`);
  await expect(page.getByText(/^Page 2 of \d+, \d+ products$/)).toBeVisible();
  await context.close();
});

test('the line that says nothing is charged stands above every screen, stays when screens change, and covers nothing (§14.3)', {
  tag: '@thorough',
}, async ({ page, shop }) => {
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
