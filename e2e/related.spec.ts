import { expect, expectAccessible, expectNoSidewaysScroll, test } from './fixtures.ts';

test('a piece shows what goes with it, and a sold-out one what to take instead (§19.2)', async ({ page, shop }) => {
  const room = { brand: 'Related', fit: 'Related room' };
  const sofa = await shop.aProduct({ ...room, name: 'Tampere Sofa', category: 'Related sofas' });
  await shop.aProduct({ ...room, name: 'Tampere Lamp', category: 'Related lamps' });
  await page.goto(`/product/${sofa._id}`);
  const strip = page.getByRole('list', { name: 'Goes well with' });
  await expect(strip.getByRole('link')).toHaveText([/Tampere Lamp/]);
  await expectAccessible(page);
  const gone = await shop.aProduct({ ...room, name: 'Gone Sofa', category: 'Related sofas', countInStock: '0' });
  await page.goto(`/product/${gone._id}`);
  await expect(page.getByText('Out of Stock', { exact: true })).toBeVisible();
  const instead = page.getByRole('region', { name: 'In stock instead' });
  await expect(instead.getByRole('link')).toHaveText([/Tampere Sofa/]);
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await instead.getByRole('link').press('Enter');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Tampere Sofa');
});

test('“Tell me when it is back” asks by mail, is confirmed by its link, writes once, and is stopped by another (§19.2)', {
  tag: '@thorough',
}, async ({ page, shop }) => {
  // What is shown instead has no reviews, which takes more room than a figure.
  const category = 'Missed chairs';
  for (const name of ['First Chair', 'Second Chair', 'Third Chair']) await shop.aProduct({ name, category });
  const gone = await shop.aProduct({ name: 'Missed Chair', category, countInStock: '0' });
  const email = `waits-${Date.now()}@example.com`;
  await page.goto(`/product/${gone._id}`);
  const form = page.getByRole('region', { name: 'Tell me when it is back' });
  await form.scrollIntoViewIfNeeded();
  const send = form.getByRole('button', { name: 'Tell me' });
  await expect(async () => {
    await send.click();
    await expect(form.getByRole('alert')).toContainText('Email is required', { timeout: 1_000 });
  }).toPass();
  await expect(form.getByRole('alert')).toContainText('Please tick the box so that we may email you.');
  await expectAccessible(page);
  await form.getByRole('textbox', { name: 'Email' }).fill(email);
  await form.getByLabel('Email me once').check();
  await send.click();
  await expect(form.getByRole('status')).toContainText('Almost done: click the link in the email we’ve just sent.');
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await expect.poll(async () => (await shop.mailsTo(email)).length).toBe(1);
  const [mail] = await shop.mailsTo(email);
  const linkTo = (what: string) =>
    /http\S+#WHAT-alert=[\w-]+/.exec((mail?.text ?? '').replaceAll(`#${what}-alert`, '#WHAT-alert'))?.[0].replace('WHAT', what) ?? '';
  await page.goto('/');
  await page.goto(linkTo('confirm').replace(/^http:\/\/[^/]+/, ''));
  const dialog = page.getByRole('dialog', { name: 'Tell you when it is back?' });
  await expect(dialog).toBeVisible();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Yes, tell me' }).press('Enter');
  await expect(dialog.getByRole('status')).toContainText('We will email you once');
  await page.goto('/');
  await page.goto(linkTo('stop').replace(/^http:\/\/[^/]+/, ''));
  await page.getByRole('button', { name: 'Delete my address' }).click();
  await expect(page.getByRole('dialog').getByRole('status')).toContainText('We have deleted your address');
});

test('pieces that were looked at are listed on this device only, move nothing, and can be cleared (§19.3)', { tag: '@thorough' }, async ({
  page,
  shop,
}) => {
  const [first, second] = [await shop.aProduct({ name: 'Seen First' }), await shop.aProduct({ name: 'Seen Second' })];
  const third = await shop.aProduct({ name: 'Seen Third' });
  await page.goto(`/product/${first._id}`);
  const seen = page.getByRole('region', { name: 'Recently viewed' });
  await expect(page.locator('#recently-seen')).toBeHidden();
  await page.goto(`/product/${second._id}`);
  await expect(seen.getByRole('link')).toHaveText(['Seen First']);
  const height = (await seen.boundingBox())?.height;
  await page.goto(`/product/${third._id}`);
  await expect(seen.getByRole('link')).toHaveText(['Seen Second', 'Seen First']);
  expect((await seen.boundingBox())?.height).toBe(height);
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await seen.getByRole('button', { name: 'Clear' }).press('Enter');
  await expect(seen.getByRole('link')).toHaveCount(0);
  await page.reload();
  await expect(seen.getByRole('link')).toHaveCount(0);
});
