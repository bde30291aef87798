import type { Page } from '@playwright/test';
import { fillCart } from './buyer.ts';
import { expect, test } from './fixtures.ts';

/** Controls that are narrower or lower than `least` pixels, with their size. Links within a sentence are as high as its line, and radio buttons and boxes as large as their label. */
const smallerThan = (page: Page, least: number, within = 'body') =>
  page.locator(within).evaluateAll((roots, pixels) => {
    const controls = roots.flatMap((root) => [
      ...root.querySelectorAll<HTMLElement>('a[href], button, input:not([type=hidden]), select, textarea, summary, [role=option]'),
    ]);
    if (controls.length === 0) throw new Error('There is nothing to press.');
    const isInSentence = (element: HTMLElement) =>
      element.matches('a') &&
      [...(element.parentElement?.childNodes ?? [])].some((node) => node.nodeType === 3 && node.textContent?.trim());
    const targetOf = (element: HTMLElement) => {
      if (element.matches('[type=radio], [type=checkbox]')) return element.closest('label') ?? element;
      // A card's link covers the card.
      return getComputedStyle(element, '::after').position === 'absolute' ? (element.closest('article') ?? element) : element;
    };
    return (
      controls
        .filter((element) => !isInSentence(element))
        // What is pressed is looked at: a radio button may itself be transparent over its swatch.
        .map((element) => ({ element, target: targetOf(element) }))
        .filter(({ target }) => target.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && !target.closest('.sr-only'))
        .map(({ element, target }) => ({ element, box: target.getBoundingClientRect() }))
        .filter(({ box }) => box.width > 1 && box.height > 1 && Math.min(box.width, box.height) < pixels - 0.5)
        .map(
          ({ element, box }) =>
            `${element.ariaLabel || element.textContent || element.id}: ${Math.round(box.width)} x ${Math.round(box.height)}`,
        )
    );
  }, least);

test('everything that can be pressed is 24 pixels large, and 44 under a finger in the cart, between pages, among colours and in the header (U25, U49)', {
  tag: '@phone',
}, async ({ page, shop, isMobile }) => {
  const sofa = await shop.aProduct({
    sizes: JSON.stringify(['Small', 'Large'].map((size) => ({ size, quantity: 5, price: 0, measurements: [] }))),
    colors: JSON.stringify(['#aa3322', '#224488'].map((code) => ({ colorName: code, hexCode: code }))),
  });
  for (const path of ['/', '/shop', '/login', '/register', '/contact', `/product/${sofa._id}`]) {
    await page.goto(path);
    expect(await smallerThan(page, 24), path).toEqual([]);
    if (isMobile && path === '/shop') expect(await smallerThan(page, 44, 'nav[aria-label=Pages]')).toEqual([]);
  }
  if (isMobile) for (const part of ['header', 'fieldset']) expect(await smallerThan(page, 44, part), part).toEqual([]);
  await fillCart(page, sofa);
  await page.goto('/cart');
  await expect(page.getByRole('list', { name: 'Cart lines' })).toBeVisible();
  expect(await smallerThan(page, isMobile ? 44 : 24, 'main')).toEqual([]);
});

/** Each field with what browsers fill it in by, its name, its id and its type. */
const fieldsOf = (page: Page) =>
  page.locator('#main form').evaluateAll((forms) =>
    forms.flatMap((form) =>
      [...form.querySelectorAll<HTMLInputElement>('input:not([type=hidden], [type=radio], [type=checkbox]), select')].map((field) => ({
        label: field.labels?.[0]?.textContent ?? '',
        filled: field.autocomplete,
        type: field.type,
        keys: field.inputMode,
      })),
    ),
  );

test('browsers can fill in every field of the account and the checkout, and no code is typed into a field for sums (U36)', {
  tag: '@thorough',
}, async ({ page, shop, logInAs }) => {
  const found = new Map<string, string>();
  const look = async (path: string) => {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    for (const { label, filled, type, keys } of await fieldsOf(page)) {
      expect([path, label, type]).not.toEqual([path, label, 'number']);
      expect([path, label, filled]).not.toEqual([path, label, '']);
      found.set(`${path} ${label}`, `${filled} ${type} ${keys}`.trim());
    }
  };
  for (const path of ['/login', '/register', '/forget-password']) await look(path);
  await fillCart(page, await shop.aProduct({ name: 'Filled Sofa' }));
  await logInAs(await shop.aCustomer());
  for (const path of ['/profile', '/checkout']) await look(path);
  const tokens = new Set([...found.values()].map((value) => value.split(' ')[0]));
  for (const token of [
    'username',
    'current-password',
    'new-password',
    'name',
    'tel',
    'address-line1',
    'address-line2',
    'address-level2',
    'postal-code',
    'country-name',
  ])
    expect(tokens).toContain(token);
});

test('a move to another page sets its title, leads the focus to its heading, which is so read out, and Tab goes on from there (U45)', async ({
  page,
}) => {
  await page.goto('/');
  const moves = [
    ['New Arrivals', 'New Arrivals', 'New Arrivals | Hearth & Oak'],
    ['All Products', 'All Products', 'All Products | Hearth & Oak'],
    ['Contact', 'Contact information', 'Contact information | Hearth & Oak'],
  ] as const;
  for (const [link, heading, title] of moves) {
    await page.getByRole('link', { name: link, exact: true }).first().click();
    await expect(page.getByRole('heading', { level: 1, name: heading })).toBeFocused();
    await expect(page).toHaveTitle(title);
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.querySelector('main')?.contains(document.activeElement))).toBe(true);
  }
});

test('on a small phone the filter that is used most is there without opening the others (U3)', { tag: '@touch' }, async ({
  page,
  shop,
}) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto('/shop?query=Sofa&currPage=1');
  const inStock = page.getByRole('link', { name: 'In stock', exact: true });
  await expect(inStock).toBeInViewport({ ratio: 1 });
  await inStock.press('Enter');
  await expect(page).toHaveURL(`${shop.url}/shop?query=Sofa&inStock=true`);
  await expect(page.getByRole('link', { name: 'Remove filter: In stock only' })).toBeVisible();
  const off = page.getByRole('link', { name: 'In stock only, take off' });
  await expect(off).toBeFocused();
  await off.press('Enter');
  await expect(page).toHaveURL(`${shop.url}/shop?query=Sofa`);
});

test('where less motion is wished nothing on the page moves; elsewhere the drawer slides (U47)', { tag: ['@touch', '@thorough'] }, async ({
  page,
  shop,
}) => {
  const { _id } = await shop.aProduct();
  /** What moves for longer than a blink, or again and again. */
  const moving = () =>
    page.evaluate(() => {
      const slow = [...document.querySelectorAll('body *')].flatMap((element) => {
        const { transitionDuration, animationName, animationDuration, scrollBehavior } = getComputedStyle(element);
        const isSlow = (times: string) => times.split(',').some((time) => Number.parseFloat(time) > 0.05);
        const isMoving =
          isSlow(transitionDuration) || (animationName !== 'none' && isSlow(animationDuration)) || scrollBehavior === 'smooth';
        return isMoving ? [`${element.tagName}.${element.className}`] : [];
      });
      const running = document.getAnimations().filter(({ effect }) => Number(effect?.getComputedTiming().endTime) > 50);
      return [...slow, ...running.map((animation) => String(animation.effect?.getComputedTiming().endTime))];
    });
  for (const path of ['/', '/shop', `/product/${_id}`, '/cart']) {
    await page.goto(path);
    expect(await moving(), path).toEqual([]);
  }
  const menu = page.getByRole('button', { name: 'Menu' });
  await menu.click();
  await expect(page.getByRole('dialog')).toBeVisible();
  expect(await moving()).toEqual([]);
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  expect(await moving()).not.toEqual([]);
});
