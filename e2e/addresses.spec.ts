import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';

/** What a page says and where it leads: its words, its links with their marks, its fields. Without what the browser alone fills in. */
const substance = (page: Page) =>
  page.evaluate(() => {
    const all = (selector: string, of: (element: Element) => unknown) => [...document.querySelectorAll(selector)].map(of);
    return {
      title: document.title,
      heading: all('h1', ({ textContent }) => textContent),
      canonical: all('link[rel=canonical]', (link) => link.getAttribute('href')),
      links: all('a[href]', (link) => [link.getAttribute('href'), link.getAttribute('aria-current'), link.textContent]),
      fields: all('#main input, #main select', (field) => [field.getAttribute('name'), (field as HTMLInputElement).value]),
    };
  });

const LIST = 'search=&category=Lamp&sortBy=rating&query=Sofa&minPrice=10&inStock=true';
const PATHS = [
  '/',
  '/?gclid=1',
  '/?currPage=2&sortBy=ascprice&utm_source=mail',
  '/newarrivals?gclid=1&currPage=3',
  '/shop?gclid=1',
  '/shop/?gclid=1',
  '/shop?currPage=2&fbclid=2&sortBy=descprice',
  `/shop?${LIST}`,
  `/shop?${LIST.split('&').reverse().join('&')}&currPage=1`,
  '/shop?minPrice=9.99&maxPrice=%C2%A32,000&brand=&inStock=1&unknown=%F0%9F%9B%8B',
  '/shop?search=oak&search=walnut&query=undefined',
  '/shop?search=%20oak%20%20table%0D%0A&sortBy=STOCK',
  '/shop?search=%3Cb%3E%26amp;%22&inStock=false',
  '/shop?search=%00%EF%BF%BD%zz&maxPrice=-1',
  `/shop?search=${'long '.repeat(80)}&z=1`,
  '/contact?gclid=1',
];
test('the browser shows the page that the server sent, whatever the order of its parameters (§2.6.1)', async ({ browser, page, shop }) => {
  const context = await browser.newContext({ javaScriptEnabled: false, baseURL: shop.url });
  const plain = await context.newPage();
  for (const path of PATHS) {
    await plain.goto(path);
    const sent = await substance(plain);
    // An error of hydration is an error of the page, for which the fixture fails the test.
    await page.goto(path);
    // Below a search that found nothing, the browser adds the new arrivals.
    const { links, ...shown } = await substance(page);
    const common = links.filter((link) => sent.links.some((other) => String(other) === String(link)));
    expect({ ...shown, links: common }, path).toEqual(sent);
  }
  await context.close();
});

/** Screens that the browser fills in. */
const OWN = [
  ['/cart?gclid=1', 'Cart'],
  ['/successPayment?session_id=cs_1&gclid=1', 'Thank You For Your Payment!'],
  ['/login?gclid=1&redirect=cart', 'Log In'],
  ['/register?redirect=cart&gclid=1', 'Sign Up'],
  ['/forget-password?gclid=1', 'Forgot your password?'],
  ['/verify-otp?gclid=1', 'Enter the code'],
  ['/change-password?gclid=1', 'Choose a new password'],
] as const;
test('a screen that the browser fills in is shown whatever its parameters', async ({ page }) => {
  for (const [path, heading] of OWN) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 }), path).toHaveText(heading);
    await expect(page.getByRole('alert')).toHaveCount(0);
  }
});

test('a product is the same page with parameters that nobody knows', async ({ page, shop }) => {
  const { _id } = await shop.aProduct({ name: 'Linked Sofa' });
  await page.goto(`/product/${_id}?gclid=1&currPage=2&size=L`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Linked Sofa');
  await expect(page).toHaveTitle('Linked Sofa');
});

test('the screens of an account and of the back office take parameters that nobody knows', async ({ page, shop, logInAs }) => {
  await logInAs(await shop.admin());
  for (const path of [
    '/profile',
    '/orders',
    '/checkout',
    '/admin/userlist',
    '/admin/productlist/',
    '/admin/orderlist',
    '/admin/createproduct',
  ]) {
    await page.goto(`${path}?utm_source=mail&currPage=1&gclid=1`);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(page.getByRole('alert')).toHaveCount(0);
  }
});

test('a page far past the end of any list becomes its last one, and what is no page number is the first (§2.6.6)', async ({
  page,
  shop,
  logInAs,
}) => {
  const admin = await shop.admin();
  await logInAs(admin);
  const lists = ['/', '/shop', '/shop?query=Sofa', '/orders', '/admin/userlist', '/admin/productlist', '/admin/orderlist'];
  for (const list of lists) {
    const addressOf = (currPage: string) => list + (list.includes('?') ? '&' : '?') + new URLSearchParams({ currPage });
    await page.goto(addressOf('2000000000'));
    await expect(page, list).toHaveURL((url) => Number(url.searchParams.get('currPage') ?? 1) < 1_000);
    await expect(page.getByRole('alert')).toHaveCount(0);
    // Which texts are page numbers is a rule of its own, tested beside its code; here it is followed.
    await page.goto(addressOf('2abc'));
    await expect(
      page.getByRole('link', { name: 'Page 1', exact: true, includeHidden: false }).or(page.locator('#main h1')).first(),
    ).toBeVisible();
    const current = page.getByRole('navigation', { name: /Pages/ }).locator('[aria-current=page]');
    if ((await current.count()) > 0) await expect(current.first(), list).toHaveText('1');
  }
});

test('a text that is absent in an older client’s words is no search, no category and no filter (§7.4)', async ({ page }) => {
  for (const absent of ['null', 'undefined', '', '%20']) {
    await page.goto(`/shop?search=${absent}&query=${absent}&brand=${absent}&minPrice=${absent}&inStock=false`);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('All Products');
    await expect(page).toHaveTitle('All Products | Hearth & Oak');
    await expect(page.getByRole('list', { name: 'Applied filters' })).toHaveCount(0);
    await expect(page.getByRole('status').first()).toHaveText(/^[1-9]\d* products$/);
  }
});

test('paths have one spelling also where the browser leads; a slash at the end changes nothing (§2.1.4)', async ({
  page,
  shop,
  expectedOnConsole,
}) => {
  expectedOnConsole.push(/404/, /could not be decoded/);
  for (const [path, heading] of [
    ['/SHOP', 'Sorry, Page not Found'],
    ['/Cart', 'Sorry, Page not Found'],
    ['/successpayment', 'Sorry, Page not Found'],
    ['/shop/', 'All Products'],
    ['/newarrivals/', 'New Arrivals'],
    ['/cart/', 'Cart'],
    ['/product/%zz', 'This piece cannot be shown'],
  ] as const) {
    await page.goto('/contact');
    // As a link inside the shop leads: without asking the server for the page.
    await page.evaluate((to) => {
      history.pushState({ key: to, idx: 1, usr: null }, '', to);
      dispatchEvent(new PopStateEvent('popstate', { state: history.state }));
    }, path);
    await expect(page.getByRole('heading', { level: 1 }), path).toHaveText(heading);
    expect(page.url()).toBe(shop.url + path);
  }
});

test('New Arrivals starts at the top when it is loaded, also again; Back returns to where it was left (§2.5.1)', async ({ page }) => {
  const scrollY = () => page.evaluate(() => Math.round(window.scrollY));
  await page.goto('/newarrivals');
  await page.evaluate(() => window.scrollTo(0, 600));
  await page.reload();
  expect(await scrollY()).toBe(0);
  const link = page.getByRole('list', { name: 'New arrivals' }).getByRole('link').last();
  await link.scrollIntoViewIfNeeded();
  const place = await scrollY();
  expect(place).toBeGreaterThan(200);
  await link.click();
  await expect(page).toHaveURL(/\/product\//);
  await page.goBack();
  await expect.poll(async () => Math.abs((await scrollY()) - place)).toBeLessThan(50);
  // Another page that is loaded again stays where it was, as browsers do.
  await page.goto('/shop');
  await page.evaluate(() => window.scrollTo(0, 600));
  await page.reload();
  await expect.poll(scrollY).toBeGreaterThan(500);
});
