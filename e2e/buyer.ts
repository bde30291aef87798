import type { Page } from '@playwright/test';
import { PAYER } from '../src/sandbox/payer.ts';
import { expect, type Shop } from './fixtures.ts';

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

/** The same in a shop of the UK market. */
export const UK_ADDRESS = { Phone: '07700 900123', 'Address line 1': '1 High Street', City: 'Leeds', Postcode: 'LS1 4AP' };

/** Fills in the checkout, by the labels of its fields. */
export async function fillCheckout(page: Page, fields: Record<string, string> = ADDRESS): Promise<void> {
  for (const [label, value] of Object.entries(fields)) await page.getByLabel(label).fill(value);
}

/** A card order of a sofa and two lamps that was paid; `payment` is its page at the provider. */
export async function aCardOrder(shop: Shop, name: string) {
  const buyer = await shop.aCustomer(name);
  const [sofa, lamp] = [
    await shop.aProduct({ name: 'Cancelled Sofa', price: '30000' }),
    await shop.aProduct({ name: 'Kept Lamp', price: '2500' }),
  ];
  const { token } = buyer;
  const body = { orderItems: [lineOf(sofa), lineOf(lamp, 2)] };
  const { url } = await shop.call<{ url: string }>('POST', '/stripe/create-checkout-session', { token, body });
  await fetch(url, { method: 'POST', body: new URLSearchParams(PAYER), redirect: 'manual' });
  return { buyer, sofa, id: await paidOrderOf(shop, buyer), payment: url.replace('/pay/', '/payments/') };
}

/** The id of a buyer's only order, once it is paid by card: the provider's notice takes a moment to arrive. */
export async function paidOrderOf(shop: Shop, buyer: { token: string }): Promise<string> {
  await expect.poll(async () => (await shop.ordersOf(buyer)).length).toBe(1);
  return (await shop.ordersOf(buyer))[0]?._id ?? '';
}
