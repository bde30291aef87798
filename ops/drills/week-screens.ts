import type { Product } from '#contract/catalogue/catalogue.ts';
import { ADDRESS } from '#server/testing/address.ts';
import type { Person } from './person.ts';

/** A new customer registers, and buys a piece in cash. Returns the order's id and the customer's session. */
export async function orderOnScreens({ page, main, open, press, says }: Person, { _id, sizes }: Product, email: string) {
  await open('/register');
  for (const [label, text] of Object.entries({
    Name: 'Sam Screen',
    'Email Address': email,
    Password: 'Correct-horse-1',
    'Confirm Password': 'Correct-horse-1',
  }))
    await page.getByLabel(label, { exact: true }).fill(text);
  await press('Register');
  await page.waitForURL(({ pathname }) => !pathname.startsWith('/register'));
  await open(`/product/${_id}`);
  if (sizes[0] && sizes.length > 1) await main.getByRole('radio', { name: sizes[0].size }).first().check({ force: true });
  await press('Add To Cart');
  await open('/cart');
  await press('Cash on delivery');
  const { line1, city, postalCode } = ADDRESS;
  const typed = { Phone: '07700 900123', 'Address line 1': line1, City: city, Postcode: postalCode };
  for (const [label, text] of Object.entries(typed)) await page.getByLabel(label).fill(text);
  await press(/^Place order/);
  await page.getByRole('link', { name: 'See your order' }).click();
  await says(/^Order [A-Z\d]{4}-/);
  const token = await page.evaluate(() => (JSON.parse(localStorage.getItem('userInfo') ?? '{}') as { token: string }).token);
  return { id: page.url().split('/').at(-1) ?? '', token };
}

/** Staff send an order. */
export async function dispatchOnScreens({ main, open, press, says }: Person, id: string): Promise<void> {
  await open(`/admin/orderdetails/${id}`);
  await press('Mark as dispatched');
  await main.getByLabel('Carrier').selectOption('DPD');
  await main.getByLabel('Tracking number').fill('1550 1234');
  await press('Dispatch');
  await says(/^Dispatched at: /);
}

/** Staff mark an order as delivered, and record its cash. */
export async function deliverOnScreens({ open, press, says }: Person, id: string): Promise<void> {
  await open(`/admin/orderdetails/${id}`);
  await press('Mark as delivered');
  await says(/^Delivered at: /);
  await press('Record cash received');
  await says(/^Paid at/);
}
