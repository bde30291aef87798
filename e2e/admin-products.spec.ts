import type { Page } from '@playwright/test';
import sharp from 'sharp';
import { GROUPS, isRequired, PRODUCT_FIELDS } from '#contract/catalogue/product-fields.ts';
import { expect, expectAccessible, holdBack, logIn, type Shop, test } from './fixtures.ts';
import { alertOf, expectColumns, expectFit, find, rowOf } from './office.ts';
import { choose, type FullProduct, PICTURES, previews, read, save } from './product-form.ts';
import { ADMIN } from './shop.ts';

/** The only product of a name. */
async function findByName(shop: Shop, name: string): Promise<FullProduct> {
  const { products } = await shop.call<{ products: FullProduct[] }>('GET', `/api/products?search=${encodeURIComponent(name)}`);
  const product = products.find((entry) => entry.name === name);
  if (!product) throw new Error(`There is no ${name}.`);
  return read(shop, product._id);
}

async function fillNewProduct(page: Page, name: string): Promise<void> {
  const fields = { Name: name, Description: 'Made for a test.', Fit: 'Hall', Category: 'Bench', Brand: 'Test & Sons' };
  for (const [label, value] of Object.entries(fields)) await page.getByLabel(label, { exact: true }).fill(value);
  await page.getByLabel('Price (in pence)').fill('49999');
  await page.getByLabel('Count In Stock').fill('3');
}

test('the product list shows ID, Name, Price in pounds, Category and Edit/Delete, and marks low and sold-out stock (§2.12.3, U52)', async ({
  page,
  shop,
  logInAs,
}) => {
  const sofa = await shop.aProduct({ name: 'Listed Sofa', price: '49999', category: 'Sofa', countInStock: '2' });
  await shop.aProduct({ name: 'Gone Sofa', countInStock: '0' });
  await logInAs(await shop.admin());
  await page.goto('/admin/productlist/');
  await expectColumns(page, 'Products', ['ID', 'Name', 'Price', 'Category', 'Edit/Delete']);
  await expect(rowOf(page, sofa._id).getByRole('cell')).toHaveText([
    '',
    sofa._id,
    'Listed Sofa',
    '£499.99',
    'Sofa',
    'Low: 2',
    'EditQuick editDelete',
  ]);
  await expect(rowOf(page, sofa._id).getByRole('link', { name: 'Edit Listed Sofa' })).toBeVisible();
  await expect(rowOf(page, sofa._id).getByRole('button', { name: 'Delete Listed Sofa' })).toBeVisible();
  await expect(rowOf(page, 'Gone Sofa')).toContainText('Sold out');
  await expectFit(page);
});

test('products come ten a page by currPage, and are found by id and name (§2.12.3, §9.2)', { tag: '@thorough' }, async ({
  page,
  shop,
  logInAs,
}) => {
  const lamp = await shop.aProduct({ name: 'Findable Lantern' });
  await logInAs(await shop.admin());
  await page.goto('/admin/productlist/?currPage=2');
  await expect(page.getByRole('row')).toHaveCount(11);
  await page.getByRole('link', { name: 'Previous page' }).click();
  await expect(page).not.toHaveURL(/currPage/);
  for (const text of [lamp._id, 'findable lant']) {
    await find(page, text);
    await expect(page.getByText('1 product', { exact: true })).toBeVisible();
    await expect(rowOf(page, lamp._id)).toHaveCount(1);
  }
  await page.goto('/admin/productlist/?currPage=999');
  await expect(page).toHaveURL(/currPage=\d{1,2}$/);
  await expect(page.getByRole('row')).not.toHaveCount(0);
  await page.goto('/admin/productlist/');
  await page.getByLabel('Sort').selectOption('Name');
  await expect(page).toHaveURL(/sortBy=name/);
});

test('Add New Product leads to an empty form titled Create New Product, from which Go Back leads to the list (§2.12.3, §2.12.4, §5.5)', {
  tag: '@thorough',
}, async ({ page, shop, logInAs }) => {
  await logInAs(await shop.admin());
  await page.goto('/admin/productlist/');
  await page.getByRole('link', { name: 'Add New Product' }).click();
  await expect(page).toHaveURL(/\/admin\/createproduct\/?$/);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Create New Product');
  for (const title of Object.values(GROUPS)) {
    const summary = page.locator('summary', { hasText: title });
    if (await summary.count()) await summary.click();
  }
  for (const field of PRODUCT_FIELDS) {
    // Pieces are found by name, by controls of their own.
    if (field.name === 'goesWith' || field.name === 'setParts') continue;
    const needed = field.kind !== 'flag' && isRequired(field, true);
    const label = needed || field.kind === 'flag' ? field.label : `${field.label} (optional)`;
    await expect(page.getByLabel(label, { exact: true })).toHaveJSProperty('required', needed);
  }
  await expect(page.getByLabel('Price (in pence)')).toHaveAttribute('min', '1');
  await expect(page.getByLabel('Count In Stock')).toHaveAttribute('min', '0');
  await page.getByRole('link', { name: 'Go Back' }).click();
  await expect(page).toHaveURL(`${shop.url}/admin/productlist`);
});

test('a product is created with pictures, colours, sizes and measurements, and the form says Upload Succeeded (§2.12.4, §2.12.5, §3.1, §3.2, §3.2.1, §9.5, §10.1)', async ({
  page,
  shop,
  logInAs,
}) => {
  const name = 'Created Bench';
  await logInAs(await shop.admin());
  await page.goto('/admin/createproduct/');
  await fillNewProduct(page, name);
  await expect(page.getByText('= £499.99')).toBeVisible();
  await page.getByRole('checkbox', { name: 'New Arrivals?' }).check();
  await page.getByRole('checkbox', { name: 'Recommend?' }).check();
  for (let n = 0; n < 3; n += 1) await page.getByRole('button', { name: 'Add colour' }).click();
  await expect(page.getByLabel('Colour 1', { exact: true })).toHaveValue('#000000');
  await page.getByLabel('Colour 2', { exact: true }).fill('#ff0000');
  await page.getByRole('button', { name: 'Remove colour 3' }).click();
  await page.getByRole('button', { name: 'Add size' }).click();
  await page.getByRole('button', { name: 'Add size' }).click();
  await page.getByLabel('Size', { exact: true }).first().fill('Long');
  await page.getByLabel('Quantity').first().fill('2');
  await expect(page.getByText('= the product’s price')).toHaveCount(2);
  await page.getByLabel('Price (pence)').first().fill('59999');
  await expect(page.getByText('= £599.99')).toBeVisible();
  for (const label of ['Size', 'Quantity', 'Price (pence)'])
    await expect(page.getByLabel(label, { exact: true }).first()).toHaveAttribute('required', '');
  await page.getByRole('button', { name: 'Add a measurement to Long' }).click();
  await page.getByLabel('Measurement name').fill('Width');
  const value = page.getByLabel('Value (cm)');
  await value.fill('quite wide');
  await expect(page.getByText('We cannot read this, so filters by size leave it out.')).toBeVisible();
  await expect(value).not.toHaveAttribute('aria-invalid', 'true');
  await value.fill('180');
  await expect(page.getByText('We cannot read this')).toHaveCount(0);
  const delivery = page.getByLabel('Delivery class');
  await expect(delivery).toHaveAccessibleDescription(/A side of Long is missing, so it is sent and returned as a parcel\./);
  await delivery.selectOption('parcel');
  await expect(delivery).not.toHaveAccessibleDescription(/missing/);
  await delivery.selectOption('by size');
  await page.getByRole('button', { name: 'Add a measurement to Long' }).click();
  await page.getByRole('button', { name: 'Remove measurement 2 of Long' }).click();
  await page.getByRole('button', { name: 'Remove size 2' }).click();
  await choose(page, PICTURES);
  await expect(previews(page)).toHaveCount(2);
  await expectFit(page);
  await page.getByRole('button', { name: 'Create Product' }).click();
  await expect(page.getByText('Upload Succeeded', { exact: true })).toBeVisible();
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('');
  const product = await findByName(shop, name);
  expect(product).toMatchObject({
    description: 'Made for a test.',
    fit: 'Hall',
    category: 'Bench',
    subCategory: '',
    brand: 'Test & Sons',
    price: 49_999,
    countInStock: 3,
    isNewArrival: true,
    isRecommend: true,
    colors: [
      { colorName: '#000000', hexCode: '#000000' },
      { colorName: '#ff0000', hexCode: '#ff0000' },
    ],
    sizes: [{ size: 'Long', quantity: 2, price: 59_999, measurements: [{ name: 'Width', value: '180' }] }],
  });
  expect(product.images).toHaveLength(2);
});

test('an upload shows how far it is, and a failure keeps what was typed, also that the session has ended (§4.9)', {
  tag: '@thorough',
}, async ({ page, shop, logInAs, expectedOnConsole }) => {
  expectedOnConsole.push(/415|401|ERR_FAILED/);
  const admin = await shop.admin();
  await logInAs(admin);
  await page.goto('/admin/createproduct/');
  await fillNewProduct(page, 'Failing Bench');
  // The browser shows what there is of it; the server refuses half a picture.
  const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const;
  const whole = await sharp({ create: { width: 900, height: 900, channels: 3, background: 'black', noise } })
    .jpeg()
    .toBuffer();
  await choose(page, { name: 'broken.jpg', mimeType: 'image/jpeg', buffer: whole.subarray(0, whole.length / 2) });
  const release = await holdBack(page, '**/api/products');
  await page.getByRole('button', { name: 'Create Product' }).click();
  await expect(page.getByRole('progressbar', { name: 'Upload' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Create Product' })).toBeDisabled();
  release();
  await expect(alertOf(page)).toContainText('broken.jpg');
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Failing Bench');
  await expect(page.getByRole('button', { name: 'Create Product' })).toBeEnabled();
  await page.getByRole('button', { name: 'Add size' }).click();
  await page.getByLabel('Size', { exact: true }).fill('Wide');
  await shop.endSession(admin);
  await page.getByRole('button', { name: 'Create Product' }).click();
  await expect(page).toHaveURL(`${shop.url}/login?redirect=admin`);
  await expect(page.getByText('Please Login again')).toBeVisible();
  await logIn(page, ADMIN);
  await expect(page).toHaveURL(/\/admin\/createproduct\/$/);
  await expect(page.getByText('We kept what you typed before your session ended.')).toBeVisible();
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Failing Bench');
  await expect(page.getByLabel('Size', { exact: true })).toHaveValue('Wide');
  await page.getByRole('button', { name: 'Create Product' }).click();
  await expect(page.getByText('Upload Succeeded', { exact: true })).toBeVisible();
  expect(await page.evaluate(() => sessionStorage.getItem('productDraft'))).toBeNull();
});

test('Edit shows neither fit nor colours, keeps the pictures, and says Update Succeeded (§2.12.3, §2.12.6, §5.5, §7.5)', async ({
  page,
  shop,
  logInAs,
}) => {
  const form = { colors: '[{"colorName":"#112233","hexCode":"#112233"}]', fit: 'Bedroom', subCategory: 'Plain' };
  const { _id } = await shop.aProduct({ name: 'Edited Bed', ...form });
  await logInAs(await shop.admin());
  await page.goto(`/admin/productlist/?search=${_id}`);
  await page.getByRole('link', { name: 'Edit Edited Bed' }).click();
  await expect(page).toHaveURL(`${shop.url}/admin/editproduct/${_id}`);
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Edited Bed');
  await expect(page.getByLabel('Fit', { exact: true })).toHaveCount(0);
  await expect(page.getByRole('group', { name: 'Colours' })).toHaveCount(0);
  await expect(page.getByLabel('Subcategory')).toHaveAttribute('required', '');
  await choose(page, PICTURES);
  await page.getByLabel('Price (in pence)').fill('60000');
  await save(page);
  await expect(page.getByText('Update Succeeded', { exact: true })).toBeVisible();
  const first = await read(shop, _id);
  expect(first).toMatchObject({ price: 60_000, fit: 'Bedroom', colors: [{ colorName: '#112233', hexCode: '#112233' }] });
  expect(first.images).toHaveLength(2);
  await expect(page.getByText('Ada Admin: Changed: price from £499.99 to £600.00, pictures: 2 added')).toBeVisible();
  const loads: string[] = [];
  page.on('request', (request) => request.url().endsWith('/changes') && loads.push(request.url()));
  await page.reload();
  await expect(previews(page)).toHaveCount(2);
  await expect(page.getByText('Ada Admin: Changed: price from £499.99 to £600.00, pictures: 2 added')).toBeVisible();
  await page.getByLabel('Count In Stock').fill('4');
  await page.getByRole('button', { name: 'Move picture 2 forward' }).click();
  expect(loads).toHaveLength(1);
  await save(page);
  await expect(page.getByText('Update Succeeded', { exact: true })).toBeVisible();
  const second = await read(shop, _id);
  expect([second.countInStock, second.images]).toEqual([4, first.images.toReversed()]);
  await expectFit(page);
  await page.getByRole('link', { name: 'Go Back' }).click();
  await expect(page).toHaveURL(`${shop.url}/admin/productlist`);
});

test('what is wrong with a size is said at its field', { tag: '@thorough' }, async ({ page, shop, logInAs, expectedOnConsole }) => {
  expectedOnConsole.push(/400/);
  await logInAs(await shop.admin());
  await page.goto('/admin/createproduct/');
  await fillNewProduct(page, 'Flawed Bench');
  await page.getByRole('button', { name: 'Add size' }).click();
  await page.getByLabel('Size', { exact: true }).fill(' ');
  await page.getByRole('button', { name: 'Add a measurement to' }).click();
  await page.getByLabel('Measurement name').fill(' ');
  await page.getByLabel('Value (cm)').fill('180');
  await page.getByRole('button', { name: 'Create Product' }).click();
  await expect(page.getByLabel('Size', { exact: true })).toHaveAccessibleDescription('Size is required.');
  await expect(page.getByLabel('Measurement name')).toHaveAccessibleDescription('Measurement name is required.');
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Flawed Bench');
});

test('an edit of a product that someone else changed is refused with what changed, and the new values can be loaded', {
  tag: '@thorough',
}, async ({ page, shop, logInAs, expectedOnConsole }) => {
  expectedOnConsole.push(/409/);
  const { _id } = await shop.aProduct({ name: 'Contested Chair', subCategory: 'Plain' });
  await logInAs(await shop.admin());
  await page.goto(`/admin/editproduct/${_id}`);
  await page.getByLabel('Description').fill('Mine.');
  const other = new FormData();
  const theirs = { name: 'Contested Chair', description: 'A sofa for tests.', category: 'Testing', subCategory: 'Plain', brand: 'Test' };
  for (const [name, value] of Object.entries({ ...theirs, price: '111', countInStock: '20' })) other.append(name, value);
  await shop.call('PUT', `/api/products/${_id}`, { token: (await shop.admin()).token, form: other });
  await save(page);
  await expect(alertOf(page)).toContainText('This product was changed while you edited it (Ada Admin: Changed: price from');
  await expect(page.getByLabel('Description')).toHaveValue('Mine.');
  expect((await read(shop, _id)).price).toBe(111);
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Load the current values' }).click();
  await expect(page.getByLabel('Price (in pence)')).toHaveValue('111');
  await page.getByLabel('Description').fill('Mine, after all.');
  await save(page);
  await expect(page.getByText('Update Succeeded', { exact: true })).toBeVisible();
  expect(await read(shop, _id)).toMatchObject({ price: 111, description: 'Mine, after all.' });
});

test('unsaved changes are not left without asking, by a link or by Back', { tag: '@thorough' }, async ({ page, shop, logInAs }) => {
  const { _id } = await shop.aProduct({ name: 'Guarded Stool', subCategory: 'Plain' });
  await logInAs(await shop.admin());
  await page.goto(`/admin/productlist?search=${_id}`);
  await page.getByRole('link', { name: 'Edit Guarded Stool' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Half-typed');
  await page.getByRole('link', { name: 'Go Back' }).click();
  const dialog = page.getByRole('dialog', { name: 'Leave without saving?' });
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Half-typed');
  await page.evaluate(() => history.back());
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(page).toHaveURL(`${shop.url}/admin/editproduct/${_id}`);
  await page.evaluate(() => history.back());
  await dialog.getByRole('button', { name: 'Leave' }).click();
  await expect(page).toHaveURL(`${shop.url}/admin/productlist?search=${_id}`);
  expect((await read(shop, _id)).name).toBe('Guarded Stool');
});

test('Delete asks “Are you sure you want to delete this Product?”, and takes the product out of the shop (§2.12.3)', async ({
  page,
  shop,
  logInAs,
  expectedOnConsole,
}) => {
  expectedOnConsole.push(/404|410/);
  const { _id } = await shop.aProduct({ name: 'Doomed Desk' });
  await logInAs(await shop.admin());
  await page.goto(`/admin/productlist/?search=${_id}`);
  const opener = page.getByRole('button', { name: 'Delete Doomed Desk' });
  await opener.click();
  const dialog = page.getByRole('dialog', { name: 'Are you sure you want to delete this Product?' });
  await expect(dialog).toContainText('Doomed Desk');
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(rowOf(page, _id)).toHaveCount(1);
  await opener.click();
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByText('Doomed Desk was deleted.')).toBeVisible();
  await expect(rowOf(page, _id)).toHaveCount(0);
  expect((await page.goto(`/product/${_id}`))?.status()).toBe(410);
  await page.goto(`/admin/editproduct/${_id}`);
  await expect(alertOf(page)).toHaveText('Product not found');
  await page.goto('/admin/productlist/');
  await page.getByLabel('State').selectOption('Deleted');
  await page.getByRole('button', { name: 'Bring back Doomed Desk' }).click();
  await expect(page.getByText('Doomed Desk is back.')).toBeVisible();
  expect((await page.goto(`/product/${_id}`))?.status()).toBe(200);
});

test('a product is duplicated as a draft, changed in its folded groups, and put into the shop', { tag: '@thorough' }, async ({
  page,
  shop,
  logInAs,
}) => {
  const colors = '[{"colorName":"#c4a478","hexCode":"#c4a478"}]';
  const { _id } = await shop.aProduct({ name: 'Copied Chest', colors, subCategory: 'Plain' });
  await logInAs(await shop.admin());
  await page.goto(`/admin/editproduct/${_id}`);
  await page.getByRole('button', { name: 'Duplicate' }).click();
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Copied Chest (copy)');
  const copy = page.url().split('/').at(-1) ?? '';
  expect(copy).not.toBe(_id);
  await page.getByLabel('Name', { exact: true }).fill('Tweed Chest');
  await page.getByLabel('Category', { exact: true }).fill('Testings');
  await expect(page.getByText('Did you mean “Testing”?')).toBeVisible();
  await page.getByLabel('Category', { exact: true }).fill('Testing');
  await page.locator('summary', { hasText: 'Fit and colours' }).click();
  await page.getByLabel('Name of colour 1').fill('Harris tweed');
  await expectAccessible(page);
  await save(page);
  await expect(page.getByText('Update Succeeded', { exact: true })).toBeVisible();
  await page.goto('/admin/productlist/?search=tweed');
  await expect(rowOf(page, copy)).toContainText('Tweed Chestdraft');
  await page.getByRole('link', { name: 'Edit Tweed Chest' }).click();
  await page.locator('summary', { hasText: 'In the shop' }).click();
  await page.getByLabel('State').selectOption('live');
  await save(page);
  await expect(page.getByText('Update Succeeded', { exact: true })).toBeVisible();
  await page.goto(`/product/${copy}`);
  await expect(page.getByText('Colour: Harris tweed')).toBeVisible();
  await expectFit(page);
});

test('a selection of products is changed from the list by keyboard, with a preview and an undo, and one of them is edited there', async ({
  page,
  shop,
  logInAs,
}) => {
  const chair = await shop.aProduct({ name: 'Selected Chair', price: '10000' });
  await shop.aProduct({ name: 'Selected Stool', price: '5000' });
  await logInAs(await shop.admin());
  await page.goto('/admin/productlist/?search=selected');
  await page.getByRole('checkbox', { name: 'Select Selected Chair' }).press('Space');
  await find(page, 'Selected Stool');
  await page.getByRole('checkbox', { name: 'Select Selected Stool' }).press('Space');
  await page.getByRole('button', { name: 'Change 2 selected' }).press('Enter');
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Show what changes' }).press('Enter');
  await expect(dialog.getByLabel('Change in per cent')).toBeFocused();
  await expect(dialog).toContainText('Enter a percentage: 5 raises prices, -10 lowers them.');
  await page.keyboard.type('5');
  await page.keyboard.press('Enter');
  await expect(dialog).toContainText('2 of 2 products will change');
  await expect(dialog).toContainText('Selected Chair: price from £100.00 to £105.00');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Change 2 products' }).press('Enter');
  await expect(page.getByText('2 products changed.')).toBeVisible();
  await expect(rowOf(page, 'Selected Stool')).toContainText('£52.50');
  await page.getByRole('button', { name: 'Undo “Prices 5 % up”' }).press('Enter');
  await expect(page.getByText('2 products have their old values back.')).toBeVisible();
  await expect(rowOf(page, 'Selected Stool')).toContainText('£50.00');
  await find(page, chair._id);
  await page.getByRole('button', { name: 'Quick edit of Selected Chair' }).press('Enter');
  await expect(dialog.getByRole('heading', { name: 'Selected Chair' })).toBeFocused();
  await dialog.getByLabel('Price (in pence)').fill('0');
  await page.keyboard.press('Enter');
  await expect(dialog).toContainText('Price must be at least 1 penny.');
  await dialog.getByLabel('Price (in pence)').fill('12000');
  await dialog.getByLabel('New Arrivals?').check();
  await dialog.getByRole('button', { name: 'Save', exact: true }).press('Enter');
  await expect(page.getByText('Selected Chair is saved.')).toBeVisible();
  await expect(rowOf(page, chair._id)).toContainText('£120.00');
  expect(await read(shop, chair._id)).toMatchObject({ price: 12_000, isNewArrival: true });
  await expectFit(page);
});

test('pieces that go with a product are found by name, put in order and removed, and its page shows them first', {
  tag: '@thorough',
}, async ({ page, shop, logInAs }) => {
  const names = ['Picked Bench', 'Picked Lamp', 'Picked Rug'];
  const [bench] = await Promise.all(
    names.map((name) => shop.aProduct({ name, category: name, subCategory: 'Plain', brand: name, fit: name })),
  );
  await logInAs(await shop.admin());
  await page.goto(`/admin/editproduct/${bench?._id}`);
  await page.locator('summary', { hasText: 'Goes with' }).click();
  const part = page.getByRole('group', { name: 'Goes with' });
  const picked = part.getByRole('list', { name: 'Picked pieces' }).getByRole('listitem');
  for (const name of ['Picked Rug', 'Picked Lamp', 'Picked Bench']) {
    await part.getByLabel('Name or SKU of the piece').fill(name);
    await part.getByLabel('Name or SKU of the piece').press('Enter');
    await part.getByRole('button', { name: `Add ${name}` }).click();
  }
  await part.getByRole('button', { name: 'Move Picked Lamp up' }).press('Enter');
  await part.getByRole('button', { name: 'Remove Picked Bench' }).press('Enter');
  await expect(picked).toContainText(['Picked Lamp', 'Picked Rug']);
  await expectAccessible(page);
  await expectFit(page);
  await save(page);
  await expect(page.getByText('Update Succeeded').first()).toBeVisible();
  await page.goto(`/product/${bench?._id}`);
  await expect(page.getByRole('list', { name: 'Goes well with' }).getByRole('link')).toContainText(['Picked Lamp', 'Picked Rug']);
});
