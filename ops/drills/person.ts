import { type Browser, chromium } from '@playwright/test';
import { onTestFinished } from 'vitest';
import { findBrowser } from '../../scripts/browser.mjs';

export async function startBrowser(): Promise<Browser> {
  const { executablePath, env } = await findBrowser();
  const args = ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu'];
  return chromium.launch({ executablePath, env: { ...(process.env as Record<string, string>), ...env }, args });
}

/** A person with a browser of their own. `look` is called with each screen that they see. */
export async function aPerson(browser: Browser, url: string, look: (html: string, address: string) => void = () => undefined) {
  const context = await browser.newContext({ baseURL: url, locale: 'en-GB', timezoneId: 'Europe/London' });
  onTestFinished(() => context.close());
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  const seen = async () => look(await page.content(), page.url());
  const open = async (path: string) => {
    await page.goto(path);
    await page.locator('html[data-ready]').waitFor({ state: 'attached' });
    await seen();
  };
  return {
    page,
    main: page.locator('#main'),
    look: seen,
    open,
    async press(name: string | RegExp) {
      await page
        .locator('#main')
        .getByRole('button', { name, exact: typeof name === 'string' })
        .first()
        .click();
    },
    async says(text: string | RegExp) {
      await page
        .getByText(text)
        .first()
        .waitFor()
        .catch(async () => {
          const wrong = (await page.locator('#main').locator('.wrong, [role=alert]').allTextContents()).join('; ');
          throw new Error(`${page.url()} does not say “${text}”. ${wrong}`);
        });
      await seen();
    },
    async logIn({ email, password }: { email: string; password: string }) {
      await open('/login');
      await page.getByLabel('Email').fill(email);
      await page.getByLabel('Password', { exact: true }).fill(password);
      await page.getByRole('button', { name: 'Log In' }).click();
      await page.waitForURL(({ pathname }) => pathname === '/');
    },
  };
}
export type Person = Awaited<ReturnType<typeof aPerson>>;
