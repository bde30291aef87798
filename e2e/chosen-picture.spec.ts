import { expect, test } from './fixtures.ts';

test('the large picture follows the size that is chosen, never the visitor who then looks at another; the cart shows the same (§2.7.2)', {
  tag: '@thorough',
}, async ({ page, shop }) => {
  const sizes = ['Low', 'High', 'Other'].map((size) => ({ size, quantity: 5, price: 12_000, measurements: [] }));
  const pictures = ['', '-front', '-detail'].map((view) => `demo/pictures/alder-carver-chair${view}.webp`);
  const said = '[{"size":"Low"},{"kind":"detail"},{"size":"High"}]';
  const chair = await shop.aProduct({ name: 'Followed Chair', sizes: JSON.stringify(sizes), pictures: said }, pictures);
  await page.goto(`/product/${chair._id}`);
  const shown = (place: number) => page.getByRole('img', { name: new RegExp(`^Followed Chair(, a detail)?, picture ${place} of 3$`) });
  const current = page.getByRole('list', { name: 'Pictures' }).locator('[aria-current]');
  await expect(current).toHaveAccessibleName('Show picture 1');
  await page.getByRole('radio', { name: /High/ }).check();
  await expect(shown(3)).toBeInViewport({ ratio: 0.5 });
  await expect(current).toHaveAccessibleName('Show picture 3');
  await page.getByRole('button', { name: 'Show picture 2' }).click();
  await expect(shown(2)).toBeInViewport({ ratio: 0.5 });
  await page.getByRole('button', { name: 'One more Followed Chair' }).click();
  await expect(current).toHaveAccessibleName('Show picture 2');
  await page.getByRole('button', { name: 'Add To Cart' }).click();
  const idOf = async (image: Promise<string | null>) => /images\/(\w+)-/.exec((await image) ?? '')?.[1];
  const high = await idOf(shown(3).getAttribute('src'));
  expect(await idOf(page.locator('.Toastify img').getAttribute('src'))).toBe(high);
  await page.locator('.Toastify').getByRole('link', { name: 'View cart' }).click();
  await expect(page.locator('main li img')).toHaveCount(1);
  expect(await idOf(page.locator('main li img').getAttribute('src'))).toBe(high);
  // The specification's field stays the product's first picture.
  const stored = await page.evaluate(() => JSON.parse(localStorage.getItem('cartItems') ?? '[]')[0] as { image: string; picture: string });
  expect([stored.image === stored.picture, stored.picture.includes(String(high))]).toEqual([false, true]);
});

test('what is chosen stays when something that has an address of its own is opened over the page, and closed', {
  tag: '@thorough',
}, async ({ page, shop }) => {
  const { products } = await shop.call<{ products: { _id: string }[] }>('GET', '/api/products?search=Oslo');
  await page.goto(`/product/${products[0]?._id}`);
  const small = page.getByRole('radio', { name: /Two-seat/ });
  await small.check();
  await expect(page).toHaveURL(/\?size=two-seat&colour=oatmeal$/);
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  await page.evaluate('location.hash = "#elsewhere"');
  await expect(page).toHaveURL(/#elsewhere$/);
  await page.goBack();
  await expect(page).not.toHaveURL(/#/);
  await expect(small).toBeChecked();
  // Loading the product again would choose its first size.
  expect(asked.filter((url) => url.includes(`/api/products/${products[0]?._id}`))).toEqual([]);
});
