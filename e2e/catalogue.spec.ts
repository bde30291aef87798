import { expect, test } from './fixtures.ts';

test('filters, sort and pages live in the address, and each can be taken back (§2.6.3, §4.5, §9.1, U1, U4)', async ({ page, isMobile }) => {
  await page.goto('/shop');
  await expect(page.getByRole('status').first()).toHaveText(/^\d+ products$/);
  const filters = async () => {
    if (!isMobile) return page.getByRole('complementary', { name: 'Filters' });
    await page.getByRole('button', { name: 'Filter' }).click();
    return page.getByRole('dialog', { name: 'Filters' });
  };
  await (await filters()).getByRole('checkbox', { name: 'In Stock Only' }).check();
  await expect(page).toHaveURL(/inStock=true/);
  if (isMobile) await page.keyboard.press('Escape');
  const panel = await filters();
  await panel.getByLabel('Min (£)').fill('500');
  await panel.getByLabel('Max (£)').fill('1200');
  await panel.getByLabel('Max (£)').press('Enter');
  await expect(page).toHaveURL(/minPrice=500&maxPrice=1200/);
  if (isMobile) await page.keyboard.press('Escape');
  await page.getByLabel('Sort').selectOption('ascprice');
  await expect(page).toHaveURL(/sortBy=ascprice/);
  await expect
    .poll(async () => {
      const texts = await page.getByRole('list', { name: 'Products' }).getByText(/^£/).allTextContents();
      const prices = texts.map((text) => Number(text.replace(/[£,]/g, '')));
      return prices.length > 1 && prices.every((price, index) => price >= 500 && price <= 1200 && price >= (prices[index - 1] ?? 0));
    })
    .toBe(true);
  await page.getByLabel('Sort').selectOption('bestmatch');
  await expect(page).not.toHaveURL(/sortBy/);
  const chosen = await filters();
  await expect(chosen.getByRole('checkbox', { name: 'In Stock Only' })).toBeChecked();
  await expect(chosen.getByLabel('Min (£)')).toHaveValue('500');
  if (isMobile) await page.keyboard.press('Escape');
  await page.getByRole('link', { name: 'Remove filter: From £500' }).click();
  await expect(page).not.toHaveURL(/minPrice/);
  const left = await filters();
  await expect(left.getByLabel('Min (£)')).toHaveValue('');
  await expect(left.getByLabel('Max (£)')).toHaveValue('1200');
  if (isMobile) await page.keyboard.press('Escape');
  await page.goBack();
  await expect(page).toHaveURL(/minPrice=500/);
  await page.getByRole('link', { name: 'Clear all' }).click();
  await expect(page).toHaveURL(/\/shop$/);
  await expect(page.getByRole('status').first()).toHaveText(/^\d+ products$/);
});

test('pages are links, and a page past the end becomes the last one (§2.6.6, U8)', async ({ page }) => {
  await page.goto('/shop');
  await page.getByRole('link', { name: 'Page 2' }).click();
  await expect(page).toHaveURL(/currPage=2/);
  await expect(page.getByText(/^Page 2 of \d+, \d+ products$/)).toBeVisible();
  await page.goto('/shop?currPage=99');
  await expect(page).toHaveURL(/currPage=(?!99)\d+$/);
  await expect(page.getByText(/^Page (\d+) of \1, \d+ products$/)).toBeVisible();
});

test('one typing error is forgiven, and nothing found offers ways on (§12.1, §12.6)', { tag: '@thorough' }, async ({ page }) => {
  await page.goto('/shop?search=wardorbe');
  await expect(page.getByText('Showing results for “wardrobe”.')).toBeVisible();
  await expect(page.getByRole('list', { name: 'Products' }).getByRole('listitem').first()).toBeVisible();
  await page.goto('/shop?search=velvet%20sofa%20zzzzzz');
  await expect(page.getByText('No exact match for “velvet sofa zzzzzz”. These come closest: we left out “zzzzzz”.')).toBeVisible();
  await expect(page.getByRole('list', { name: 'Products' }).getByRole('heading').first()).toHaveText(/Velvet Sofa/);
  await page.goto('/shop?search=velvet%20couch%20under%20200%20cm');
  const chips = page.getByRole('list', { name: 'Applied filters' });
  await expect(chips.getByRole('listitem')).toHaveText(['Material: Velvet', 'Width up to 200 cm', 'Clear all']);
  await expect(page.getByRole('list', { name: 'Products' }).getByRole('heading')).toHaveText([/Velvet Sofa/]);
  await chips.getByRole('link', { name: 'Remove filter: Material: Velvet' }).click();
  await expect(page).toHaveURL(/\?search=couch&maxWidth=200$/);
  await expect(chips.getByRole('listitem')).toHaveText(['Width up to 200 cm', 'Clear all']);
  await page.goto('/shop?search=rugs');
  await expect(page.getByText('We don’t sell rugs; the nearest we have are footstools and coffee tables.')).toBeVisible();
  await page.goto('/shop?search=sofa+under+%C2%A350');
  await expect(page.getByText(/^No sofa under £50\. The nearest is £[\d,.]+\.$/)).toBeVisible();
  await page.goto('/shop?search=delivery+cost');
  await expect(page.getByRole('navigation', { name: 'Help' }).getByRole('link')).toHaveText(['Shipping policy']);
  await page.goto('/shop?search=zzzzzz');
  await expect(page.getByText('We couldn’t find “zzzzzz”. Try one of these:')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Popular searches' })).toBeVisible();
  await expect(page.getByRole('list', { name: 'New arrivals' })).toBeVisible();
});

test('a size has its own price, stock and measurements, and Add To Cart says what it did (§2.7.2, §2.7.3, §5.4, U11, U24)', async ({
  page,
  shop,
}) => {
  const sizes = [
    { size: 'Small', quantity: 3, price: 0, measurements: [{ name: 'Width', value: '120' }] },
    { size: 'Large', quantity: 0, price: 79_900, measurements: [{ name: 'Width', value: '200' }] },
    { size: 'Medium', quantity: 9, price: 59_900, measurements: [{ name: 'Width', value: '160' }] },
  ];
  const sofa = await shop.aProduct({
    name: 'Sized Sofa',
    price: '49900',
    countInStock: '12',
    sizes: JSON.stringify(sizes),
    colors: '[{"colorName":"#000000","hexCode":"#000000"},{"colorName":"#ffffff","hexCode":"#ffffff"}]',
  });
  await page.goto(`/product/${sofa._id}`);
  await expect(page).toHaveTitle('Sized Sofa');
  // Every size says its price; one that is sold out stays and says so.
  const choices = page.getByRole('group', { name: 'Size' });
  for (const label of [/Small.*£499\.00, Only 3 left/, /Large.*£799\.00, Sold out/, /Medium.*£599\.00/])
    await expect(choices.getByRole('radio', { name: label })).toBeEnabled();
  await page.getByRole('radio', { name: /Large/ }).check();
  await expect(page.getByText('£799.00', { exact: true })).toBeVisible();
  await expect(page.getByText('Out of Stock', { exact: true })).toBeVisible();
  await page.getByRole('radio', { name: /Medium/ }).check();
  await expect(page.getByRole('row', { name: 'Width 160 cm 63 in' })).toBeVisible();
  const said = page.locator('#main p[role="status"]');
  await expect(page.getByRole('radio', { name: 'Black' })).toBeChecked();
  await page.getByRole('button', { name: 'Add To Cart' }).click();
  await expect(said).toHaveText('Sized Sofa, Medium, Black is in your cart.');
  await page.getByRole('radio', { name: 'White' }).check();
  await page.getByRole('button', { name: 'Add To Cart' }).click();
  await expect(said).toHaveText('Sized Sofa, Medium, White is in your cart. Replaced Black with White.');
  await expect(page.getByRole('link', { name: 'Cart, 1 item' })).toBeVisible();
});
