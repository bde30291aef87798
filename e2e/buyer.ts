import type { Page } from '@playwright/test';

interface Listed {
  _id: string;
  name: string;
  price: number;
}

/** A line of the cart, in the shape of specification §3. */
export const lineOf = ({ _id, name, price }: Listed, qty = 1) => ({ _id, name, image: '', price, qty });

/** Puts lines into the browser's cart; only once, so that a reload keeps what the page stored. */
export async function fillCartWith(page: Page, lines: unknown[]): Promise<void> {
  await page.addInitScript((text) => {
    if (!sessionStorage.getItem('filled')) localStorage.setItem('cartItems', text);
    sessionStorage.setItem('filled', '1');
  }, JSON.stringify(lines));
}

/** Puts a product into the browser's cart. */
export const fillCart = (page: Page, product: Listed, qty = 1): Promise<void> => fillCartWith(page, [lineOf(product, qty)]);

/** An address as it is typed into the checkout. */
const ADDRESS = {
  Phone: '07700 900123',
  'Address line 1': '1 High Street',
  City: 'Leeds',
  State: 'West Yorkshire',
  'ZIP code': '54-000',
};

/** Fills in the checkout, by the labels of its fields. */
export async function fillCheckout(page: Page, fields: Record<string, string> = ADDRESS): Promise<void> {
  for (const [label, value] of Object.entries(fields)) await page.getByLabel(label).fill(value);
}
