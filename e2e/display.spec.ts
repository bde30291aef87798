import type { Locator, Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';

const boxOf = async (part: Locator) => {
  const box = await part.boundingBox();
  if (!box) throw new Error('not shown');
  return box;
};

/** A colour of the style that something has. */
const styleOf = (part: Locator, property: string) =>
  part.evaluate((element, name) => getComputedStyle(element).getPropertyValue(name), property);

test('on wide screens the headline of the home page stands in line with all below it', { tag: '@thorough' }, async ({ page }) => {
  for (const width of [1280, 1920, 2560]) {
    await page.setViewportSize({ width, height: 900 });
    await page.goto('/');
    const [headline, below] = [page.getByRole('heading', { level: 1 }), page.getByRole('heading', { name: 'Our Creations' })];
    await expect.poll(async () => Math.abs((await boxOf(headline)).x - (await boxOf(below)).x)).toBeLessThan(1);
  }
});

test('at twice the size of text the bar of the product page covers neither the price nor the focus', { tag: '@thorough' }, async ({
  page,
  shop,
}) => {
  const sizes = JSON.stringify(['Small', 'Large'].map((size) => ({ size, quantity: 5, price: 0, measurements: [] })));
  const { _id } = await shop.aProduct({ sizes });
  await page.setViewportSize({ width: 390, height: 740 });
  await page.goto(`/product/${_id}`);
  const bar = page.locator('.buy-bar');
  expect(await styleOf(bar, 'position')).toBe('sticky');
  await page.getByRole('heading', { name: 'Will it fit?' }).scrollIntoViewIfNeeded();
  await page.mouse.wheel(0, 600);
  await expect(page.getByRole('button', { name: 'Add To Cart' })).toBeInViewport({ ratio: 1 });
  await page.evaluate(() => {
    window.scrollTo(0, 0);
    document.documentElement.style.fontSize = '200%';
  });
  const price = page.locator('#main').getByText('£499.99').first();
  await price.scrollIntoViewIfNeeded();
  const seen = await price.evaluate((element) => {
    const { x, y, width, height } = element.getBoundingClientRect();
    return element.contains(document.elementFromPoint(x + width / 2, y + height / 2));
  });
  expect(seen).toBe(true);
  for (const size of ['Small', 'Large']) {
    const choice = page.getByRole('radio', { name: size });
    await choice.focus();
    const [at, top] = [await boxOf(choice), await boxOf(bar)];
    expect(at.y + at.height <= top.y || at.y >= top.y + top.height).toBe(true);
  }
});

test('in forced colours stars and swatches keep what they tell, and only the current link is marked', { tag: '@thorough' }, async ({
  page,
  shop,
}) => {
  const colors = JSON.stringify(['#aa3322', '#224488'].map((code) => ({ colorName: code, hexCode: code })));
  const { _id } = await shop.aProduct({ colors });
  await page.emulateMedia({ forcedColors: 'active' });
  await page.goto('/shop');
  const nav = page.getByRole('navigation', { name: 'Main' });
  const borderOf = (name: string) => styleOf(nav.getByRole('link', { name, exact: true }), 'border-bottom-color');
  expect(await borderOf('All Products')).not.toBe(await borderOf('Sofa'));
  expect(await borderOf('Wardrobe')).toBe(await borderOf('Sofa'));
  const stars = page.locator('#main .stars').first();
  const ground = await styleOf(page.locator('body'), 'background-color');
  expect(await styleOf(stars, 'background-image')).toMatch(/^linear-gradient/);
  expect(await styleOf(stars, 'background-image')).not.toContain(ground);
  await page.goto(`/product/${_id}`);
  const swatches = page.locator('.swatch span[style]');
  expect(await Promise.all([0, 1].map((n) => styleOf(swatches.nth(n), 'background-color')))).toEqual([
    'rgb(170, 51, 34)',
    'rgb(34, 68, 136)',
  ]);
});

test('a field that the page scrolls to shows its label below the header', { tag: ['@phone', '@thorough'] }, async ({ page }) => {
  await page.goto('/register');
  await page.getByRole('button', { name: 'Register' }).click();
  await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
  await page.getByRole('link', { name: 'Email is required' }).evaluate((link: HTMLAnchorElement) => link.click());
  await expect(page.getByLabel('Email Address')).toBeFocused();
  const [label, header] = [page.getByText('Email Address', { exact: true }), page.getByRole('banner')];
  await expect.poll(async () => (await boxOf(label)).y - (await boxOf(header)).height).toBeGreaterThanOrEqual(0);
});

test('controls that stand side by side are equally high', { tag: '@thorough' }, async ({ page, shop }) => {
  const heightOf = async (part: Locator) => (await boxOf(part)).height;
  const { _id } = await shop.aProduct();
  await page.goto(`/product/${_id}`);
  const stepper = (of: Page) => of.getByRole('group', { name: /^Quantity of/ });
  expect(await heightOf(stepper(page))).toBe(await heightOf(page.getByRole('button', { name: 'Add To Cart' })));
  await page.goto('/login');
  expect(await heightOf(page.getByLabel('Email'))).toBe(await heightOf(page.getByRole('button', { name: 'Log In' })));
});

test('on a narrow card “New!” and the heart do not cover each other', { tag: '@thorough' }, async ({ page }) => {
  for (const [width, size] of [
    [320, '100%'],
    [320, '150%'],
    [320, '200%'],
    [390, '150%'],
  ] as const) {
    await page.setViewportSize({ width, height: 844 });
    await page.goto('/newarrivals');
    await page.evaluate((fontSize) => {
      document.documentElement.style.fontSize = fontSize;
    }, size);
    const card = page.getByRole('article').filter({ hasText: 'New!' }).first();
    const [badge, heart] = [
      await boxOf(card.getByText('New!', { exact: true })),
      await boxOf(card.getByRole('button', { name: /^Save / })),
    ];
    expect([width, size, badge.x + badge.width <= heart.x || badge.y >= heart.y + heart.height]).toEqual([width, size, true]);
  }
});

test('at one and a half times the size of text no page of a phone scrolls sideways', { tag: '@thorough' }, async ({ page, shop }) => {
  const size = [{ size: 'Three-seat', quantity: 5, price: 0, measurements: [{ name: 'Height with legs off (4 screws)', value: '69' }] }];
  const { _id } = await shop.aProduct({ sizes: JSON.stringify(size) });
  for (const width of [320, 390]) {
    await page.setViewportSize({ width, height: 844 });
    for (const path of ['/', '/shop?query=Sofa', `/product/${_id}`, '/cart', '/login', '/contact']) {
      await page.goto(path);
      await page.evaluate(() => {
        document.documentElement.style.fontSize = '150%';
      });
      expect([path, await page.evaluate(() => document.documentElement.scrollWidth)]).toEqual([path, width]);
      await expect(page.getByRole('link', { name: /^Cart/ }).first()).toBeInViewport({ ratio: 1 });
    }
  }
});
