import { test as base, expect, type Locator, type Page, type Route } from '@playwright/test';
import axe from 'axe-core';
import { type Account, ADMIN, Shop } from './shop.ts';
import { findShop } from './shops.ts';

export { ADMIN, expect, Shop };

export interface Fixtures {
  /** Logs in without the login screen; once a page is open, its next load is that account’s. */
  logInAs: (account: Account) => Promise<void>;
  /** What a test expects on the console, such as the browser's line about a 404. */
  expectedOnConsole: RegExp[];
}

interface Options {
  /** Whether scripts load at once, as after a touch; false for tests of their loading. */
  loadsScriptsAtOnce: boolean;
}

export const test = base.extend<Fixtures & Options, { shop: Shop; market: string }>({
  market: ['classic', { option: true, scope: 'worker' }],
  shop: [
    async ({ market }, use, { parallelIndex, project }) => {
      const { url, dataDir } = await findShop({ market, parallelIndex: String(parallelIndex), project: project.name });
      await use(new Shop(url, dataDir));
    },
    { scope: 'worker', timeout: 180_000 },
  ],
  baseURL: async ({ shop }, use) => use(shop.url),
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads a fixture's needs from this pattern.
  expectedOnConsole: async ({}, use) => use([]),
  loadsScriptsAtOnce: [true, { option: true }],
  page: async ({ page, shop, javaScriptEnabled, expectedOnConsole, loadsScriptsAtOnce }, use) => {
    const said: string[] = [];
    page.on('console', (message) => ['error', 'warning'].includes(message.type()) && said.push(message.text()));
    page.on('pageerror', (error) => said.push(error.message));
    // A toast is gone after five seconds, which a loaded machine may take to look: what each said is kept.
    await page.addInitScript(() => {
      const said = JSON.parse(sessionStorage.getItem('toasts') ?? '[]') as string[];
      new MutationObserver((changes) => {
        for (const node of changes.flatMap(({ addedNodes }) => [...addedNodes])) {
          if (!(node instanceof Element)) continue;
          const toasts = node.matches('.Toastify__toast') ? [node] : [...node.querySelectorAll('.Toastify__toast')];
          if (toasts.length === 0) continue;
          said.push(...toasts.map(({ textContent }) => textContent ?? ''));
          sessionStorage.setItem('toasts', JSON.stringify(said));
        }
      }).observe(document, { childList: true, subtree: true });
    });
    // What is not a click on a button or a form's submit is lost before scripts have started: open pages as a person does, who looks first.
    const { goto, reload } = { goto: page.goto.bind(page), reload: page.reload.bind(page) };
    const ready = () => page.locator('html[data-ready]').waitFor({ state: 'attached' });
    // A touch, so that scripts do not wait for the pictures.
    if (loadsScriptsAtOnce)
      await page.addInitScript(() => addEventListener('DOMContentLoaded', () => dispatchEvent(new Event('pointerdown'))));
    page.goto = async (...args) => {
      const reply = await goto(...args);
      if (javaScriptEnabled && page.url().startsWith(shop.url)) await ready();
      return reply;
    };
    page.reload = async (...args) => {
      const reply = await reload(...args);
      await ready();
      return reply;
    };
    await use(page);
    expect(said.filter((text) => !expectedOnConsole.some((pattern) => pattern.test(text)))).toEqual([]);
  },
  logInAs: async ({ page, shop }, use) => {
    await use(async ({ _id, name, email, token, isAdmin }) => {
      const info = JSON.stringify({ _id, name, email, token, isAdmin });
      if (page.url().startsWith(shop.url)) return page.evaluate((text) => localStorage.setItem('userInfo', text), info);
      await page.addInitScript((text) => {
        // Only once: a test may log out afterwards.
        if (!sessionStorage.getItem('seeded')) localStorage.setItem('userInfo', text);
        sessionStorage.setItem('seeded', '1');
      }, info);
    });
  },
});

/** Fills in the login screen that is open, and sends it. */
export async function logIn(page: Page, { email, password }: { email: string; password: string }): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Log In' }).click();
}

/** Logs out by the account menu. */
export async function logOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Account' }).click();
  await page.getByRole('button', { name: 'Logout', exact: true }).click();
}

/** The section of a page under a heading. */
export const panelOf = (page: Page, name: string | RegExp): Locator =>
  page.locator('section').filter({ has: page.getByRole('heading', { name, exact: true }) });

/** The session that the browser keeps; null for none. */
export const storedUser = (page: Page): Promise<Record<string, unknown> | null> =>
  page.evaluate(() => JSON.parse(localStorage.getItem('userInfo') ?? 'null') as Record<string, unknown> | null);

/** Holds back the answers to certain requests of a page until the function that it returns is called; `go` then answers them. */
export async function holdBack(
  page: Page,
  url: string | RegExp,
  go: (route: Route) => Promise<void> = (route) => route.continue(),
): Promise<() => void> {
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(url, async (route) => {
    await released;
    await go(route);
  });
  return release;
}

/** A toast with this text has been shown since the page was opened. */
export async function expectToast(page: Page, text: string): Promise<void> {
  await expect.poll(() => page.evaluate(() => sessionStorage.getItem('toasts') ?? '')).toContain(text);
}

/** Items of a list and rows of a table after the third: their colours are those of the first. */
const REPEATED = 'li:nth-child(n + 4), tbody > tr:nth-child(n + 4)';

/** A rule of axe, which has no public way to wrap the filter of its elements. */
interface WithRules {
  axe: typeof axe & { _audit: { rules: { id: string; matches: (node: Element, ...more: unknown[]) => boolean }[] } };
}

async function loadAxe(page: Page): Promise<void> {
  // Run by the driver, since the page's CSP would refuse a script element.
  await page.evaluate(axe.source);
  // Colours are three quarters of its work, and most texts of a page are in lists.
  await page.evaluate((repeated) => {
    const { _audit } = (window as unknown as WithRules).axe;
    const rule = _audit.rules.find(({ id }) => id === 'color-contrast');
    if (!rule) throw new Error('axe has no such rule.');
    const { matches } = rule;
    rule.matches = (node, ...more) => !node.closest(repeated) && matches(node, ...more);
  }, REPEATED);
}

/** Nothing for axe to find, in the page or in an open overlay; `rules` may turn some off. */
export async function expectAccessible(page: Page, rules: axe.RuleObject = {}): Promise<void> {
  // A page that stays open has it already.
  if (!(await page.evaluate(() => 'axe' in window))) await loadAxe(page);
  const found = await page.evaluate(async (rules) => {
    const { run } = (window as unknown as { axe: typeof axe }).axe;
    const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
    const { violations } = await run({ runOnly: tags, rules, resultTypes: ['violations'] });
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`);
  }, rules);
  expect(found).toEqual([]);
  // axe looks at ids only where something refers to them; a label or a link must find its own element among all of them.
  const ids = await page.evaluate(() => [...document.querySelectorAll('[id]')].map(({ id }) => id));
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
}

/** Nothing sticks out to the side on the smallest screens. */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const size = page.viewportSize();
  await page.setViewportSize({ width: 320, height: 640 });
  // Polled: the new width takes a frame or two to reach the layout.
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
  if (size) await page.setViewportSize(size);
}

/** The card form of the payment provider, filled in and sent. */
export async function payWithCard(page: Page, card = '4242 4242 4242 4242'): Promise<void> {
  await page.getByLabel('Card number').fill(card);
  await page.getByLabel('Expiry').fill('12 / 40');
  await page.getByLabel('Security code').fill('123');
  await page.getByRole('button', { name: /^Pay/ }).click();
}

/** The hosted page of the payment provider, filled in. */
export async function payByCard(page: Page, card = '4242 4242 4242 4242'): Promise<void> {
  await page.getByLabel('Phone').fill('07700 900123');
  await page.getByLabel('Full name').fill('Pat Payer');
  await page.getByLabel('Address line 1').fill('2 Low Road');
  await page.getByLabel('Town or city').fill('York');
  await page.getByLabel('Postcode').fill('YO1 7HH');
  await payWithCard(page, card);
}
