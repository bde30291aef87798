import type { Locator, Page } from '@playwright/test';
import sharp from 'sharp';
import { expect, expectAccessible, expectNoSidewaysScroll, type Shop } from './fixtures.ts';

/** A cash order of one product, placed by a customer of its own or a given one. */
export async function anOrder(
  shop: Shop,
  {
    buyer,
    product,
    qty = 1,
    other,
  }: {
    buyer?: Awaited<ReturnType<Shop['aCustomer']>>;
    product?: { _id: string; name: string; price: number; color?: string; size?: string };
    qty?: number;
    /** One piece of another product, on a line of its own. */
    other?: { _id: string; name: string; price: number };
  } = {},
) {
  const { _id, name, price, color, size } = { color: undefined, size: undefined, ...(product ?? (await shop.aProduct())) };
  const { token } = buyer ?? (await shop.aCustomer());
  return shop.call<{ _id: string; reference: string; user: { _id: string }; createdAt: string }>('POST', '/api/orders', {
    token,
    body: {
      orderItems: [{ _id, name, image: '', price, qty, color, size }, ...(other ? [{ ...other, image: '', qty: 1 }] : [])],
      shippingAddress: {
        line1: '1 High Street',
        line2: 'Flat 2',
        city: 'Leeds',
        state: '',
        postalCode: 'LS1 4AP',
        country: 'United Kingdom',
      },
      phone: '07700 900123',
      orderPaymentID: 'COD',
    },
  });
}

/** The row of a list that holds a text. */
export const rowOf = (page: Page, text: string): Locator => page.getByRole('row').filter({ hasText: text });

/** A message of the screen itself, in red. */
export const alertOf = (page: Page): Locator => page.locator('#main').getByRole('alert');

export async function find(page: Page, text: string): Promise<void> {
  await page.getByRole('searchbox', { name: /^Find by/ }).fill(text);
  await page.getByRole('button', { name: 'Find', exact: true }).click();
}

/** Nothing for axe to find, and nothing sticks out to the side, neither on the smallest screens nor where tables are narrowest. */
export async function expectFit(page: Page): Promise<void> {
  // What happens to lie under the header that stays in sight is not too small.
  await page.evaluate(() => window.scrollTo(0, 0));
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  const size = page.viewportSize();
  await page.setViewportSize({ width: 768, height: 1024 });
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(768);
  if (size) await page.setViewportSize(size);
}

/** A list has these columns in this order; others may stand between them. */
export async function expectColumns(page: Page, table: string, columns: string[]): Promise<void> {
  const heads = page.getByRole('table', { name: table, exact: true }).getByRole('columnheader');
  await expect(heads.filter({ hasText: columns[0] ?? '' })).toHaveCount(1);
  expect((await heads.allTextContents()).filter((head) => columns.includes(head))).toEqual(columns);
}

/** A picture that can be a logo, as a PNG. */
export const aLogo = (): Promise<Buffer> =>
  sharp({ create: { width: 320, height: 120, channels: 3, background: '#1b2a49' } })
    .png()
    .toBuffer();
