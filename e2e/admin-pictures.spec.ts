import { expect, expectAccessible, test } from './fixtures.ts';
import { choose, namesOf, PICTURES, previews, read, save } from './product-form.ts';

test('pictures can be dropped, previewed, reordered and removed, and anything else is refused by name (§2.12.5, §5.5)', async ({
  page,
  shop,
  logInAs,
}) => {
  await logInAs(await shop.admin());
  await page.goto('/admin/createproduct/');
  await choose(page, PICTURES);
  const [one, two] = ['alder-carver-chair.webp', 'alder-carver-chair-front.webp'];
  expect(await namesOf(page)).toEqual([one, two]);
  await page.getByRole('button', { name: `Move ${two} forward` }).click();
  expect(await namesOf(page)).toEqual([two, one]);
  await page.getByRole('button', { name: `Remove ${two}` }).click();
  expect(await namesOf(page)).toEqual([one]);
  await choose(page, { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('no picture') });
  await expect(page.getByText('notes.txt is not a JPEG, PNG, WebP, AVIF or GIF.')).toBeVisible();
  await choose(page, { name: 'notes.png', mimeType: 'image/png', buffer: Buffer.from('no picture') });
  await expect(page.getByText('notes.png cannot be read as a picture.')).toBeVisible();
  await choose(page, { name: 'large.png', mimeType: 'image/png', buffer: Buffer.alloc(10 * 1024 * 1024 + 1) });
  await expect(page.getByText('large.png is larger than 10 MB.')).toBeVisible();
  await expect(previews(page)).toHaveCount(1);
  await page.getByText('Drag pictures here, or').evaluate(async (area) => {
    const canvas = Object.assign(document.createElement('canvas'), { width: 4, height: 4 });
    const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve));
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([blob ?? ''], 'dropped.png', { type: 'image/png' }));
    dataTransfer.items.add(new File(['no picture'], 'dropped.jpg', { type: '' }));
    area.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true }));
  });
  await expect(previews(page)).toHaveCount(2);
  expect(await namesOf(page)).toEqual([one, 'dropped.png']);
  await expect(page.getByText('dropped.jpg cannot be read as a picture.')).toBeVisible();
  await expectAccessible(page);
});

test('where the browser’s file picker is blocked by a security error, the hidden file input opens (§8.5)', async ({
  page,
  shop,
  logInAs,
}) => {
  await page.addInitScript(() =>
    Object.assign(window, { showOpenFilePicker: () => Promise.reject(new DOMException('Blocked.', 'SecurityError')) }),
  );
  await logInAs(await shop.admin());
  await page.goto('/admin/createproduct/');
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), page.getByRole('button', { name: 'choose them' }).click()]);
  expect(chooser.isMultiple()).toBe(true);
  await chooser.setFiles(PICTURES);
  await expect(previews(page)).toHaveCount(2);
});

test('all pictures of a product can be removed, and stay removed (§2.12.6)', { tag: '@thorough' }, async ({ page, shop, logInAs }) => {
  const { _id } = await shop.aProduct({ name: 'Bare Bed', subCategory: 'Plain' });
  await logInAs(await shop.admin());
  await page.goto(`/admin/editproduct/${_id}`);
  await choose(page, PICTURES);
  await save(page);
  await expect(page.getByText('Update Succeeded', { exact: true })).toBeVisible();
  await page.reload();
  await expect(previews(page)).toHaveCount(2);
  for (const picture of ['picture 2', 'picture 1']) await page.getByRole('button', { name: `Remove ${picture}` }).click();
  await save(page);
  await expect(page.getByText('Update Succeeded', { exact: true })).toBeVisible();
  await expect(previews(page)).toHaveCount(0);
  expect((await read(shop, _id)).images).toEqual([]);
  await page.reload();
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Bare Bed');
  await expect(previews(page)).toHaveCount(0);
});

test('the form says which size a picture shows, and only where there is something to tell apart (§2.12.5)', { tag: '@thorough' }, async ({
  page,
  shop,
  logInAs,
}) => {
  const sizes = ['Low', 'High'].map((size) => ({ size, quantity: 5, price: 0, measurements: [] }));
  const { _id } = await shop.aProduct({ name: 'Told Table', subCategory: 'Plain', sizes: JSON.stringify(sizes) }, PICTURES);
  const plain = await shop.aProduct({ name: 'Plain Table', subCategory: 'Plain' }, PICTURES);
  await logInAs(await shop.admin());
  await page.goto(`/admin/editproduct/${_id}`);
  await page.getByText('Shows any').nth(1).click();
  await page.getByLabel('Size that picture 2 shows').selectOption('High');
  await expect(page.getByText('Shows High')).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Move picture 2 forward' }).click();
  await save(page);
  await expect(page.getByText('Update Succeeded', { exact: true })).toBeVisible();
  expect(((await read(shop, _id)).pictures as { size: string | null }[]).map(({ size }) => size)).toEqual(['High', null]);
  await page.goto(`/admin/editproduct/${plain._id}`);
  await expect(previews(page)).toHaveCount(2);
  await expect(page.getByText('Shows any')).toHaveCount(0);
});

test('a 3D model is added to a product, kept by another edit, and removed; a file that is no model is refused by name (§2.12.5)', {
  tag: '@thorough',
}, async ({ page, shop, logInAs }) => {
  const { _id } = await shop.aProduct({ name: 'Turned Table', subCategory: 'Plain' });
  await logInAs(await shop.admin());
  await page.goto(`/admin/editproduct/${_id}`);
  await page.getByText('Add a 3D model').click();
  const file = page.getByLabel('3D model', { exact: false });
  await file.setInputFiles({ name: 'table.obj', mimeType: 'model/obj', buffer: Buffer.from('v 0 0 0') });
  await expect(page.getByText('Only a GLB of up to 5 MB can be added: table.obj')).toBeVisible();
  await expectAccessible(page);
  await file.setInputFiles('demo/models/tarn-oak-stool.glb');
  await save(page);
  await expect(page.getByText('Update Succeeded', { exact: true })).toBeVisible();
  await page.reload();
  await expect(page.getByText(/^3D model: \d+ KB/)).toBeVisible();
  await page.getByLabel('Brand').fill('Harrow');
  await save(page);
  await expect(page.getByText('Update Succeeded', { exact: true })).toBeVisible();
  expect((await read(shop, _id)).model).toMatch(/^\/models\/\w+\.glb$/);
  await page.getByRole('button', { name: 'Remove the 3D model' }).click();
  await save(page);
  await expect(page.getByText('Add a 3D model')).toBeVisible();
  await expect.poll(async () => (await read(shop, _id)).model).toBeNull();
});

test('a size gets a 3D model of its own, which is uploaded at once and refused where it is another size (§2.12.5)', {
  tag: '@thorough',
}, async ({ page, shop, logInAs, expectedOnConsole }) => {
  expectedOnConsole.push(/status of 400/);
  const size = (name: string, height: string) => ({ size: name, quantity: 2, price: 0, measurements: [{ name: 'Height', value: height }] });
  const { _id } = await shop.aProduct({
    name: 'Tall Stool',
    subCategory: 'Plain',
    sizes: JSON.stringify([size('Low', '46'), size('Bar', '75')]),
  });
  await logInAs(await shop.admin());
  await page.goto(`/admin/editproduct/${_id}`);
  await page.getByText('Add a 3D model of Bar').click();
  await page.getByLabel('3D model of Bar').setInputFiles('demo/models/tarn-oak-stool-bar.glb');
  await expect(page.getByText(/^3D model of Bar: \d+ KB/)).toBeVisible();
  await save(page);
  await expect(page.getByText(/its height is 65.1 cm, not 75 cm/).first()).toBeVisible();
  await expectAccessible(page);
  await page.getByLabel('Its size may differ from the measurements').check();
  await save(page);
  await expect(page.getByText('Update Succeeded', { exact: true })).toBeVisible();
  const modelsOf = async () => ((await read(shop, _id)).sizes as { model: string | null }[]).map(({ model }) => model);
  expect(await modelsOf()).toEqual([null, expect.stringMatching(/^\/models\/\w+\.glb$/)]);
  await page.getByRole('button', { name: 'Remove the 3D model of Bar' }).click();
  await save(page);
  await expect.poll(modelsOf).toEqual([null, null]);
});

test('more than twelve pictures are not added, and the form names which', { tag: '@thorough' }, async ({ page, shop, logInAs }) => {
  await logInAs(await shop.admin());
  await page.goto('/admin/createproduct/');
  await choose(
    page,
    Array.from({ length: 13 }, (_, at) => PICTURES[at % 2] ?? ''),
  );
  await expect(previews(page)).toHaveCount(12);
  await expect(page.getByText('alder-carver-chair.webp is one too many: a product has at most 12 pictures.')).toBeVisible();
});
