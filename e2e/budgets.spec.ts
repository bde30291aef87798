import { request as httpRequest } from 'node:http';
import type { Page } from '@playwright/test';
import { fillCart, fillCartWith, lineOf } from './buyer.ts';
import { expect, type Shop, test } from './fixtures.ts';
import { anOrder } from './office.ts';
import type { ListedProduct } from './shop.ts';

// The scripts wait for the first screen's pictures, as they do for a visitor.
test.use({ loadsScriptsAtOnce: false });

const KB = 1024;
const SCRIPTS = 140 * KB;
const FOLD_PHONE = 844;
/** What a server sends before the first acknowledgement: ten packets (RFC 6928). */
const FIRST_FLIGHT = 14_600;

const weights = new Map<string, Promise<number>>();

/** What a file weighs on the wire when the browser asks for gzip. A file keeps its address only as long as its bytes. */
function weigh(url: string): Promise<number> {
  const weight = weights.get(url) ?? fetchWeight(url);
  if (new URL(url).pathname.startsWith('/assets/')) weights.set(url, weight);
  return weight;
}

function fetchWeight(url: string): Promise<number> {
  return new Promise((resolve, reject) => {
    httpRequest(url, { headers: { 'accept-encoding': 'gzip' } }, (reply) => {
      let bytes = 0;
      reply.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
      });
      reply.on('end', () => resolve(bytes));
    })
      .on('error', reject)
      .end();
  });
}

/** What a page weighs with its head, with Brotli. */
const weighPage = (url: string) =>
  new Promise<number>((resolve, reject) => {
    httpRequest(url, { headers: { 'accept-encoding': 'br' } }, ({ rawHeaders, headers, socket }) => {
      socket.destroy();
      resolve(Number(headers['content-length']) + rawHeaders.join('  ').length);
    })
      .on('error', reject)
      .end();
  });

async function weighAll(urls: Iterable<string>): Promise<number> {
  const sizes = await Promise.all([...urls].map(weigh));
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** Opens a page and returns the addresses of what it loads, by kind, once it is quiet. */
async function open(page: Page, path: string): Promise<Map<string, Set<string>>> {
  const loaded = new Map<string, Set<string>>();
  page.on('request', (request) => {
    const kind = request.resourceType();
    loaded.set(kind, (loaded.get(kind) ?? new Set()).add(request.url()));
  });
  // No state of a page says that it has asked for everything: a cart's last scripts come after its answers.
  await page.goto(path, { waitUntil: 'networkidle' });
  return loaded;
}

/** The addresses of the pictures that are seen, at least in part, before anything is scrolled or swiped. */
const picturesAboveFold = (page: Page) =>
  page.evaluate((fold) => {
    const seen = [...document.images].filter((image) => {
      const { top, left, right, height } = image.getBoundingClientRect();
      // What is not loaded is not seen: a slide further on, whose side is stretched over the screen, but cut off there.
      return image.currentSrc && height > 0 && top < fold && left < innerWidth && right > 0;
    });
    return [...new Set(seen.map(({ currentSrc }) => currentSrc))];
  }, FOLD_PHONE);

const layoutShift = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        let sum = 0;
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) sum += (entry as PerformanceEntry & { value: number }).value;
        }).observe({ type: 'layout-shift', buffered: true });
        requestAnimationFrame(() => requestAnimationFrame(() => resolve(sum)));
      }),
  );

/** Counts the date formats that a page makes: each costs a phone tens of milliseconds before it can answer a touch. */
const countDateFormats = (page: Page) =>
  page.addInitScript(() => {
    Object.assign(window, { dateFormats: 0 });
    Intl.DateTimeFormat = new Proxy(Intl.DateTimeFormat, {
      construct(target, given) {
        (window as unknown as { dateFormats: number }).dateFormats += 1;
        return Reflect.construct(target, given);
      },
    });
  });

async function pathOf(shop: Shop, screen: string): Promise<string> {
  if (screen !== 'product') return screen === 'home' ? '/' : '/shop';
  const { products } = await shop.call<{ products: { _id: string }[] }>('GET', '/api/products?categoryQuery=Sofa');
  return `/product/${products[0]?._id}`;
}

/** The scripts are nearly the same on both: each is measured on one, and on the other by the thorough run. */
const DEVICES = [
  { device: 'phone', tag: '@touch', ofAllPages: ['@touch', '@thorough'] },
  { device: 'desktop', tag: '@thorough', ofAllPages: [] },
];

for (const { device, tag } of DEVICES) {
  for (const screen of ['home', 'shop', 'product'])
    test(`the ${screen} page stays within its budgets on a ${device} (U46)`, { tag }, async ({ page, shop, isMobile }) => {
      const path = await pathOf(shop, screen);
      await countDateFormats(page);
      const loaded = await open(page, path);
      expect(await page.evaluate('dateFormats')).toBe(0);
      const scripts = [...(loaded.get('script') ?? [])];
      const first = await page.evaluate(() =>
        [...document.querySelectorAll<HTMLLinkElement>('link[rel=modulepreload]')].map(({ href }) => href),
      );
      expect(first.length).toBeGreaterThan(0);
      expect(scripts.filter((url) => /admin|list-page|edit-/.test(url))).toEqual([]);
      expect(await weighAll(new Set([...first, ...scripts]))).toBeLessThanOrEqual(SCRIPTS);
      expect(await weighAll(loaded.get('stylesheet') ?? [])).toBeLessThanOrEqual(20 * KB);
      if (screen === 'product') expect(await weigh(shop.url + path)).toBeLessThanOrEqual(40 * KB);
      else expect(await weighPage(shop.url + path)).toBeLessThanOrEqual(FIRST_FLIGHT);
      const fonts = loaded.get('font') ?? new Set();
      expect(fonts.size).toBeLessThanOrEqual(2);
      expect(await weighAll(fonts)).toBeLessThanOrEqual(40 * KB);
      expect(await layoutShift(page)).toBeLessThanOrEqual(0.02);
      if (isMobile) {
        expect(await weighAll(await picturesAboveFold(page))).toBeLessThanOrEqual(150 * KB);
        // With those that the browser fetches before they are scrolled or swiped into view.
        expect(await weighAll(loaded.get('image') ?? [])).toBeLessThanOrEqual(300 * KB);
      }
      const main = page.locator('img[fetchpriority=high]').first();
      await expect(main).toBeVisible();
      await expect(main).not.toHaveAttribute('loading', 'lazy');
      expect((await page.request.get(path)).headers()['cache-control']).not.toContain('no-store');
    });

  test(`nothing jumps on an empty cart on a ${device}`, { tag }, async ({ page }) => {
    await open(page, '/cart');
    await expect(page.getByRole('heading', { name: 'Recommended pieces' })).toBeVisible();
    expect(await layoutShift(page)).toBeLessThanOrEqual(0.02);
  });
}

test('nothing jumps under a visitor who scrolls fast while parts still arrive', { tag: '@phone' }, async ({ page, shop }) => {
  const rooms = await shop.call<{ pieces: (ListedProduct & { size: string | null; colour: { hexCode: string } | null })[] }[]>(
    'GET',
    '/api/products/rooms',
  );
  const sofa = rooms.flatMap(({ pieces }) => pieces)[0] as (typeof rooms)[number]['pieces'][number];
  await fillCartWith(page, [lineOf(await shop.aProduct()), { ...lineOf(sofa), size: sofa.size, color: sofa.colour?.hexCode }]);
  const shifts: Record<string, number> = {};
  for (const path of ['/cart', '/cart?wishlist', '/shop?search=zzzzqq']) {
    await page.goto(path);
    for (let step = 0; step < 4; step += 1) {
      await page.evaluate(() => scrollBy(0, 600));
      await page.waitForTimeout(150);
    }
    if (path === '/cart') await expect(page.getByRole('heading', { name: 'Complete the room' })).toBeAttached();
    await expect(page.getByRole('contentinfo')).toBeVisible();
    const shift = await layoutShift(page);
    if (shift > 0.02) shifts[path] = shift;
  }
  expect(shifts).toEqual({});
});

/** The pages that load more scripts than the budget, with their bytes, and all that they load by themselves. */
async function overweight(page: Page, paths: string[], opened: (path: string, scripts: Set<string>) => Promise<void> = async () => {}) {
  // Every page asks for all of its files.
  const network = await page.context().newCDPSession(page);
  await network.send('Network.setCacheDisabled', { cacheDisabled: true });
  const over: Record<string, number> = {};
  for (const path of paths) {
    const loaded = await open(page, path);
    const scripts = loaded.get('script') ?? new Set();
    await opened(path, scripts);
    const bytes = await weighAll(scripts);
    if (bytes > SCRIPTS) over[path] = bytes;
  }
  return over;
}

for (const { device, ofAllPages } of DEVICES) {
  test(`no page of a visitor loads more scripts than the budget on a ${device}`, { tag: ofAllPages }, async ({ page, shop }) => {
    await fillCart(page, await shop.aProduct());
    // Lists and products load more for a customer with a wish list, as below.
    const paths = ['/', '/shop?search=grey+two-seater', '/cart', '/login', '/register', '/forget-password', '/contact', '/privacy'];
    expect(await overweight(page, paths)).toEqual({});
  });

  test(`no page of a customer with a wish list, a cart and orders loads more scripts than the budget on a ${device}`, {
    tag: ofAllPages,
  }, async ({ page, shop, logInAs }) => {
    const [sofa, lamp, customer] = [await shop.aProduct(), await shop.aProduct(), await shop.aCustomer()];
    const [order, delivered] = [await anOrder(shop, { buyer: customer }), await anOrder(shop, { buyer: customer })];
    const { token } = await shop.admin();
    await shop.call('PUT', `/api/orders/${delivered._id}/deliver`, { token, body: { isDelivered: true } });
    await fillCart(page, sofa);
    await page.addInitScript((id) => {
      if (!sessionStorage.getItem('wished'))
        localStorage.setItem('wishlist', JSON.stringify({ wishes: [{ _id: id, size: null, color: null }] }));
      sessionStorage.setItem('wished', '1');
    }, lamp._id);
    await logInAs(customer);
    const lists = ['/', '/newarrivals', '/shop', '/shop?query=Sofa'];
    const own = ['/cart', '/cart?wishlist', '/checkout', '/orders', `/order/${order._id}`, `/order/${delivered._id}`, '/profile'];
    const paths = [...lists, await pathOf(shop, 'product'), ...own];
    const opened = async (path: string, scripts: Set<string>) => {
      await expect.poll(() => [...scripts].some((url) => url.includes('/account-button-'))).toBe(true);
      if (path === '/cart') await expect(page.getByRole('list', { name: 'Cart lines' })).toBeVisible();
      if (path.startsWith('/order/')) await expect(page.getByRole('heading', { name: 'Order Items' })).toBeVisible();
      if (path.endsWith(delivered._id)) await expect(page.getByRole('heading', { name: 'Returns' })).toBeVisible();
    };
    expect(await overweight(page, paths, opened)).toEqual({});
  });
}

test('lazy pictures wait for the picture of the first screen', { tag: '@phone' }, async ({ page, shop }) => {
  const path = await pathOf(shop, 'product');
  const asked = new Set<string>();
  let early = 0;
  await page.route('**/{images,models}/**', async (route) => {
    asked.add(route.request().url());
    if (asked.size === 1) {
      await page.waitForTimeout(400);
      early = asked.size;
    }
    await route.continue();
  });
  await page.goto(path);
  await expect.poll(() => asked.size).toBeGreaterThan(3);
  expect(early).toBe(1);
  expect(await layoutShift(page)).toBeLessThanOrEqual(0.02);
});

test('lazy pictures of a page whose scripts are blocked load after some seconds', { tag: '@thorough' }, async ({ context, shop }) => {
  // Not the page of the fixture, which waits for its scripts.
  const page = await context.newPage();
  await page.route('**/shop', async (route) => {
    const reply = await route.fetch();
    const changed = (await reply.text()).replace(/(<script type="module" data-then="[^>]*>)/, '$1 ');
    // The policy no longer knows the script.
    await route.fulfill({ response: reply, body: changed });
  });
  await page.goto(`${shop.url}/shop`);
  const loaded = () =>
    page.evaluate(() => [...document.querySelectorAll('#main img')].filter((image) => (image as HTMLImageElement).naturalWidth).length);
  expect(await loaded()).toBeLessThan(6);
  await expect.poll(loaded).toBeGreaterThan(10);
  await expect(page.locator('html')).not.toHaveAttribute('data-painted');
});

test('what is opened in a filled cart brings its own code', async ({ page, shop }) => {
  await fillCart(page, await shop.aProduct());
  const loaded = await open(page, '/cart');
  const scripts = loaded.get('script') ?? new Set();
  const has = (name: string) => [...scripts].some((url) => url.includes(`/${name}-`));
  expect([has('business-fields'), has('code-form'), has('empty-cart')]).toEqual([false, false, false]);
  await page.getByText('Buying for a business?').click();
  await expect(page.getByLabel('Company name')).toBeVisible();
  await page.getByText('Discount code', { exact: true }).click();
  await expect(page.getByRole('textbox', { name: 'Discount code' })).toBeVisible();
  expect([has('business-fields'), has('code-form')]).toEqual([true, true]);
});

test('a page names the code of what its cart shows first, a cart or a wish list', async ({ page }) => {
  const named = async (path: string) => {
    const [, files = ''] = /data-then="([^"]*)"/.exec(await (await page.request.get(path)).text()) ?? [];
    return [/\/cart-(?!page)/.test(files), files.includes('/wish-list-')];
  };
  expect(await named('/cart')).toEqual([true, false]);
  expect(await named('/cart?wishlist')).toEqual([false, true]);
});

test('the checkout loads the rules of its form once a field is touched', async ({ page, shop, logInAs }) => {
  await fillCart(page, await shop.aProduct());
  await logInAs(await shop.aCustomer());
  const loaded = await open(page, '/checkout');
  const scripts = loaded.get('script') ?? new Set();
  const hasRules = () => [...scripts].some((url) => url.includes('orders.schema'));
  expect(hasRules()).toBe(false);
  await page.getByLabel('Email').focus();
  await expect.poll(hasRules).toBe(true);
});
