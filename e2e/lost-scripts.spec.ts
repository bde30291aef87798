import type { Page } from '@playwright/test';
import { expect, type Shop, test } from './fixtures.ts';

const SCRIPTS = '**/assets/*.js';

/** A screen, and a click on it that nothing answers without scripts. */
interface Screen {
  name: string;
  path: (shop: Shop) => string | Promise<string>;
  isAdmin?: true;
  answers: (page: Page) => Promise<void>;
}

const opensSearch = async (page: Page) => {
  await page.getByRole('button', { name: 'Search', exact: true }).click();
  await expect(page.getByRole('combobox', { name: 'Search the shop' })).toBeFocused();
};

const aSofa = async (shop: Shop) => {
  const { products } = await shop.call<{ products: { _id: string }[] }>('GET', '/api/products?categoryQuery=Sofa');
  return `/product/${products[0]?._id}`;
};

const SCREENS: Screen[] = [
  { name: 'home', path: () => '/', answers: opensSearch },
  {
    name: 'product',
    path: aSofa,
    answers: async (page) => {
      await page.getByRole('button', { name: 'Add To Cart' }).click();
      await expect(page.getByRole('link', { name: 'Cart, 1 item' })).toBeVisible();
    },
  },
  { name: 'checkout', path: () => '/checkout', answers: opensSearch },
  {
    name: 'list of orders in the back office',
    path: () => '/admin/orderlist',
    isAdmin: true,
    answers: async (page) => {
      await page.getByRole('button', { name: /Account/ }).click();
      await expect(page.getByRole('link', { name: 'Users' })).toBeVisible();
    },
  },
];

/** Loses the first request of each address that `isLost` accepts, as a phone does that changes networks. */
async function loseFirst(page: Page, isLost: (kind: string) => boolean): Promise<Set<string>> {
  const lost = new Set<string>();
  await page.route(SCRIPTS, (route) => {
    const request = route.request();
    if (lost.has(request.url()) || !isLost(request.resourceType())) return route.continue();
    lost.add(request.url());
    return route.abort('connectionfailed');
  });
  return lost;
}

for (const { name, path, isAdmin, answers } of SCREENS) {
  test(`each script of the ${name} fails once, and the page works (§8.1)`, { tag: '@thorough' }, async ({
    page,
    shop,
    logInAs,
    expectedOnConsole,
  }) => {
    expectedOnConsole.push(/ERR_CONNECTION_FAILED/);
    if (isAdmin) await logInAs(await shop.admin());
    const lost = await loseFirst(page, () => true);
    await page.goto(await path(shop));
    await answers(page);
    expect(lost.size).toBeGreaterThan(2);
    await expect(page.getByText('Part of this page has not loaded.')).toHaveCount(0);
  });
}

test('a script that is lost after it was fetched is had by loading the page once more (§8.1)', { tag: '@thorough' }, async ({
  page,
  expectedOnConsole,
}) => {
  expectedOnConsole.push(/ERR_CONNECTION_FAILED/, /dynamically imported module/);
  await loseFirst(page, (kind) => kind === 'script');
  await page.goto('/');
  await page.unrouteAll();
  await opensSearch(page);
});

test('while scripts cannot be had the page says so, and keeps what is typed; the button asks for them again (§8.1)', {
  tag: '@thorough',
}, async ({ page, expectedOnConsole }) => {
  expectedOnConsole.push(/ERR_CONNECTION_FAILED/);
  await page.route(SCRIPTS, (route) => route.abort('connectionfailed'));
  const opened = page.goto('/login');
  await page.getByLabel('Email').fill('casey@example.com');
  const line = page.getByRole('alert').filter({ hasText: 'Part of this page has not loaded.' });
  await expect(line).toBeVisible();
  await page.unrouteAll();
  await line.getByRole('button', { name: 'Try again' }).click();
  await opened;
  await expect(line).toHaveCount(0);
  await expect(page.getByLabel('Email')).toHaveValue('casey@example.com');
  await page.getByRole('button', { name: 'Log In' }).click();
  await expect(page.locator('#main').getByRole('alert')).toContainText('Password');
});
