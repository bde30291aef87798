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
  '/?currPage=2&sortBy=ascprice&utm_source=mail',
  '/newarrivals?gclid=1&currPage=3',
  '/shop?currPage=2&fbclid=2&sortBy=descprice',
  `/shop?${LIST}`,
  `/shop?${LIST.split('&').reverse().join('&')}&currPage=1`,
  '/shop?minPrice=9.99&maxPrice=%C2%A32,000&brand=&inStock=1&unknown=%F0%9F%9B%8B',
  '/shop?search=%20oak%20%20table%0D%0A&sortBy=STOCK',
  '/shop?search=%3Cb%3E%26amp;%22&inStock=false',
  '/shop?search=%00%EF%BF%BD%zz&maxPrice=-1',
  `/shop?search=${'long '.repeat(80)}&z=1`,
];
test('the browser shows the page that the server sent, whatever the order of its parameters (§2.6.1)', { tag: '@thorough' }, async ({
  browser,
  page,
  shop,
}) => {
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

test('a text that is absent in an older client’s words is no search, no category and no filter (§7.4)', { tag: '@thorough' }, async ({
  page,
}) => {
  for (const [one, other] of [
    ['null', 'undefined'],
    ['', '%20'],
  ] as const) {
    await page.goto(`/shop?search=${one}&query=${other}&brand=${one}&minPrice=${other}&inStock=false`);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('All Products');
    await expect(page).toHaveTitle('All Products | Hearth & Oak');
    await expect(page.getByRole('list', { name: 'Applied filters' })).toHaveCount(0);
    await expect(page.getByRole('status').first()).toHaveText(/^[1-9]\d* products$/);
  }
});

test('paths have one spelling also where the browser leads; a slash at the end changes nothing (§2.1.4)', { tag: '@thorough' }, async ({
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

test('New Arrivals starts at the top when it is loaded, also again; Back returns to where it was left (§2.5.1)', {
  tag: '@thorough',
}, async ({ page }) => {
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
