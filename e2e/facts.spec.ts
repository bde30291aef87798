import { expect, expectAccessible, expectNoSidewaysScroll, test } from './fixtures.ts';

const DAYS = String.raw`(Mon|Tue|Wed|Thu|Fri)\s\d{1,2}\s[A-Z][a-z]{2}`;
const ARRIVES = new RegExp(`^Arrives ${DAYS} – ${DAYS}, free$`);

test('under the button: when it arrives, how long one may change one’s mind, and who carries what is large (§2.7.6, U17)', async ({
  page,
  shop,
}) => {
  const box = (side: string) =>
    JSON.stringify([{ size: 'Only', quantity: 5, price: 0, measurements: [{ name: 'Dimensions', value: side }] }]);
  const sofa = await shop.aProduct({ name: 'Heavy Sofa', sizes: box('224 x 95 x 80 cm') });
  const lamp = await shop.aProduct({ name: 'Light Lamp', sizes: box('40 x 40 x 150 cm') });
  await page.goto(`/product/${sofa._id}`);
  await expect(page.getByText(ARRIVES)).toBeVisible();
  await expect(page.getByRole('link', { name: '14 days to change your mind' })).toHaveAttribute('href', '/refund-policy');
  await expect(page.getByText('Two-person delivery to your room')).toBeVisible();
  // The cart promises the same days.
  const days = /Arrives (.*),/.exec((await page.getByText(ARRIVES).textContent()) ?? '')?.[1] ?? 'none';
  await page.getByRole('button', { name: 'Add To Cart' }).click();
  await page.goto('/cart');
  await expect(page.getByRole('region', { name: 'Summary' })).toContainText(`Arrives${days}`);
  await page.goto(`/product/${lamp._id}`);
  await expect(page.getByText(ARRIVES)).toBeVisible();
  await expect(page.getByText('Two-person delivery to your room')).toHaveCount(0);
});

test('details, materials and care, delivery and returns open by keyboard, tell cm and inches, and satisfy axe (§2.7.6, U22)', {
  tag: '@thorough',
}, async ({ page, shop }) => {
  const measurements = [
    { name: 'Width', value: '224' },
    { name: 'Height', value: '31.5 in' },
    { name: 'Weight', value: '48 kg' },
  ];
  const sofa = await shop.aProduct({
    name: 'Told Sofa',
    description: 'A sofa of solid oak and wool. Vacuum the weave; it stands on four legs.',
    sizes: JSON.stringify([{ size: 'Only', quantity: 5, price: 0, measurements }]),
  });
  await page.goto(`/product/${sofa._id}`);
  await expect(page.getByRole('row', { name: 'Width 224 cm 88.2 in' })).toBeVisible();
  await expect(page.getByRole('row', { name: 'Height 80 cm 31.5 in' })).toBeVisible();
  await expect(page.getByRole('row', { name: 'Weight 48 kg' })).toBeVisible();
  const materials = page.getByText('Materials: oak, wool.');
  await expect(materials).toBeHidden();
  await page.locator('summary').filter({ hasText: 'Materials & care' }).focus();
  await page.keyboard.press('Enter');
  await expect(materials).toBeVisible();
  await expect(page.getByRole('listitem').filter({ hasText: 'Vacuum the weave' })).toBeVisible();
  await page.locator('summary').filter({ hasText: 'Delivery & returns' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByText(/You have 14 days from the day on which it arrives/)).toBeVisible();
  await expect(page.getByText('Order by 2pm on a working day and we start on it the same day.')).toBeVisible();
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
});

test('a product with one size shows it as a chosen radio button, one colour as text, and the cart gets both (§2.7.2)', async ({
  page,
  shop,
}) => {
  const sofa = await shop.aProduct({
    name: 'Plain Sofa',
    sizes: JSON.stringify([{ size: 'Only', quantity: 5, price: 0, measurements: [] }]),
    colors: '[{"colorName":"#ffffff","hexCode":"#ffffff"}]',
  });
  await page.goto(`/product/${sofa._id}`);
  await expect(page.getByRole('radio')).toHaveCount(1);
  await expect(page.getByRole('group', { name: 'Size' }).getByRole('radio', { name: /^Only.*£/ })).toBeChecked();
  await expect(page.getByText('Colour: White')).toBeVisible();
  await page.getByRole('button', { name: 'Add To Cart' }).click();
  await expect
    .poll(() => page.evaluate(() => JSON.parse(localStorage.getItem('cartItems') ?? '[]') as object[]))
    .toMatchObject([{ size: 'Only', color: '#ffffff' }]);
});

test('a page that stays open over the cut-off asks the server for the new days, and shows no days while it cannot ask (§2.7.6)', {
  tag: '@thorough',
}, async ({ page, shop, expectedOnConsole }) => {
  expectedOnConsole.push(/ERR_INTERNET_DISCONNECTED/);
  const sofa = await shop.aProduct({ name: 'Waiting Sofa' });
  await page.clock.install();
  await page.goto(`/product/${sofa._id}`);
  await expect(page.getByText(ARRIVES)).toBeVisible();
  const asked = page.waitForResponse((reply) => reply.url().endsWith('/api/delivery'));
  await page.clock.fastForward('01:00:00');
  expect((await asked).status()).toBe(200);
  await expect(page.getByText(ARRIVES)).toBeVisible();
  await page.context().setOffline(true);
  await page.clock.fastForward('01:00:00');
  await expect(page.getByText(/^Arrives/)).toHaveCount(0);
  await expect(page.getByText('Delivery included, in 5-7 business days all over the UK.').first()).toBeVisible();
});

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false });

  test('the days are told, and the sections open (§2.7.6)', async ({ page, shop }) => {
    const sofa = await shop.aProduct({ name: 'Quiet Sofa' });
    await page.goto(`/product/${sofa._id}`);
    await expect(page.getByText(ARRIVES)).toBeVisible();
    await expect(page.locator('#main .buy-bar noscript p')).toHaveText(/^To order online, please switch on JavaScript.* call us on \d/);
    await expect(page.getByRole('button', { name: 'Add To Cart' })).toBeHidden();
    await page.locator('summary').filter({ hasText: 'Delivery & returns' }).click();
    await expect(page.getByText(/You have 14 days from the day on which it arrives/)).toBeVisible();
  });
});
