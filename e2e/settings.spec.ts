import sharp from 'sharp';
import type { SettingsSection } from '#contract/settings/settings.schema.ts';
import { expect, test } from './fixtures.ts';
import { aLogo, expectFit } from './office.ts';

test('the owner finds the settings, sees a change before saving it, is refused an unreadable colour, and goes back to what was', {
  tag: '@thorough',
}, async ({ page, shop, logInAs, expectedOnConsole }) => {
  expectedOnConsole.push(/400/, /409/, /415/);
  const { token } = await shop.admin();
  await logInAs(await shop.admin());
  await page.goto('/admin/orderlist');
  await page.getByRole('navigation', { name: 'Office' }).getByRole('link', { name: 'Settings' }).click();
  await page.getByRole('link', { name: 'The shop', exact: true }).first().click();
  const [strapline, colour] = [page.getByLabel('Strapline'), page.getByLabel('Main colour', { exact: true })];
  const save = () => page.getByRole('button', { name: 'Save', exact: true }).click();
  const saved = page.getByText('Saved. Customers see it now.');
  await strapline.fill('Made in Bristol.');
  await expect(page.getByRole('region', { name: 'Preview' })).toContainText('Made in Bristol.');
  await colour.fill('#e0a060');
  await save();
  await expect(colour).toHaveAccessibleDescription(/^Too light to read: its contrast with the page is/);
  await colour.fill('#1b2a49');
  const logo = page.getByRole('group', { name: 'Logo' });
  await logo
    .locator('input[type=file]')
    .setInputFiles({ name: 'logo.svg', mimeType: 'image/svg+xml', buffer: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>') });
  await expect(logo.getByRole('alert')).toContainText('logo.svg is an SVG drawing');
  await logo.locator('input[type=file]').setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: await aLogo() });
  await expect(page.getByRole('region', { name: 'Preview' }).locator('img[src$="-480.png"]')).toBeVisible();
  await save();
  await expect(saved).toBeVisible();
  await expect(page.getByText(/Strapline: Furniture for real homes, .* → Made in Bristol\./)).toBeVisible();
  // The page itself is as customers see it.
  await expect(page.getByRole('button', { name: 'Save', exact: true })).toHaveCSS('background-color', 'rgb(27, 42, 73)');
  await expectFit(page);

  const { version, values } = await shop.call<SettingsSection>('GET', '/api/settings/shop', { token });
  await shop.call('PUT', '/api/settings/shop', { token, body: { version, values: { ...values, strapline: 'Made in Leeds.' } } });
  await strapline.fill('Made in York.');
  await save();
  await expect(strapline).toHaveAccessibleDescription(/has saved “Made in Leeds\.” since; you wrote “Made in York\.”/);
  await save();
  await expect(saved).toBeVisible();

  await page.goto('/');
  await expect(page.getByRole('contentinfo')).toContainText('Made in York.');
  await expect(page.getByRole('banner').getByRole('link', { name: 'Hearth & Oak, home' }).locator('img')).toHaveJSProperty(
    'complete',
    true,
  );
  await expect(page.getByRole('contentinfo')).toHaveCSS('background-color', 'rgb(27, 42, 73)');

  await page.goto('/admin/settings?section=shop');
  await page.getByRole('button', { name: 'Go back to this: As the shop was set up' }).click();
  await expect(strapline).toHaveValue('Furniture for real homes, delivered across the UK.');
  await save();
  await expect(saved).toBeVisible();
  await page.getByRole('link', { name: 'Contact and showroom' }).click();
  await page.getByRole('button', { name: 'Remove row 3 of Opening hours' }).click();
  await page.getByRole('link', { name: 'The shop' }).click();
  await page.getByRole('dialog', { name: 'Leave without saving?' }).getByRole('button', { name: 'Leave' }).click();
  await expect(strapline).toHaveValue('Furniture for real homes, delivered across the UK.');

  await page.getByRole('link', { name: 'Emails' }).click();
  await page.getByRole('combobox', { name: 'Email' }).selectOption('Order delivered');
  await page.getByRole('textbox', { name: 'Order delivered: Subject' }).fill('It is there: {reference}');
  await page.getByRole('textbox', { name: 'Order delivered: Before' }).fill('**Enjoy it**, from all of us at {shop}.');
  await expect(page.getByRole('region', { name: 'Preview' })).toContainText('It is there: K7MX-4QPD');
  await page.getByLabel('As plain text').check();
  await expect(page.getByRole('region', { name: 'The email' })).toContainText('Enjoy it, from all of us at Hearth & Oak.');
  await page.getByLabel('As plain text').uncheck();
  await page.getByRole('textbox', { name: 'Order delivered: After' }).fill('Order {number}');
  await page.getByRole('combobox', { name: 'Email' }).selectOption('Order confirmation');
  await save();
  await expect(page.getByRole('textbox', { name: 'Order delivered: After' })).toHaveAccessibleDescription(
    /\{number\} is not a placeholder here/,
  );
  await page.getByRole('textbox', { name: 'Order delivered: After' }).fill('');
  await expectFit(page);
  await save();
  await expect(saved).toBeVisible();

  await page.getByRole('link', { name: 'Policies' }).click();
  const refunds = page.getByRole('textbox', { name: 'Refund policy' });
  await page.getByRole('button', { name: 'Fill in the default text of Refund policy' }).click();
  await expect(refunds).toHaveValue(/^## Asking for a refund/);
  await refunds.fill('Ask {nobody} within {returnDays} days.');
  await page.getByRole('combobox', { name: 'Text' }).selectOption('Refund policy');
  await expect(page.getByText('{nobody} is not a placeholder here.').first()).toBeVisible();
  await refunds.fill('## Money back\n\nAsk **{shop}** within {returnDays} days.');
  await expect(page.getByRole('region', { name: 'The text' })).toContainText('Ask Hearth & Oak within 14 days.');
  await expectFit(page);
  await save();
  await expect(saved).toBeVisible();
  await page.goto('/refund-policy');
  await expect(page.locator('#main')).toContainText('Ask Hearth & Oak within 14 days.');
});

test('company and tax show an invoice as typed, and ask for the password before they are saved; lists name what is wrong', async ({
  page,
  shop,
  logInAs,
  expectedOnConsole,
}) => {
  expectedOnConsole.push(/400/, /403/);
  const admin = await shop.secondAdmin('Tessa Taxed');
  await logInAs(admin);
  await page.goto('/admin/settings?section=company');
  const preview = page.getByRole('region', { name: 'Preview' });
  await page.getByLabel('Registered name').fill('Oakwell Interiors Ltd');
  await page.getByLabel('VAT number').fill('GB123456789');
  await page.getByLabel('VAT rate (per cent)', { exact: true }).fill('25');
  await expect(preview).toContainText('VAT invoice INV-000042');
  await expect(preview).toContainText('VAT at 25%');
  await expect(preview.getByText('Oakwell Interiors Ltd', { exact: true })).toBeVisible();
  await expectFit(page);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  const proof = page.getByRole('dialog', { name: 'Confirm it’s you' });
  await expect(proof).toContainText('changes of company, tax and payment');
  await proof.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByText('Please enter your password again to continue.')).toBeVisible();

  await page.getByRole('link', { name: 'Delivery', exact: true }).click();
  await page.getByRole('dialog', { name: 'Leave without saving?' }).getByRole('button', { name: 'Leave' }).click();
  await page.getByRole('button', { name: 'Add days' }).click();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.locator('#main').getByRole('alert').first()).toContainText('Calendar, days 1: First day is required');
  await page.getByText('As CSV', { exact: true }).click();
  await page.getByRole('textbox', { name: 'Areas as CSV' }).fill('hello');
  await page.getByRole('button', { name: 'Use these rows' }).click();
  await expect(page.getByText('The first line has no column “Postcodes”.')).toBeVisible();
  await expectFit(page);
});

test('the home page shows the pictures that the owner chooses', { tag: '@thorough' }, async ({ page, shop, logInAs }) => {
  const aRoom = (width: number, height: number) =>
    sharp({ create: { width, height, channels: 3, background: '#7a8b6f' } })
      .png()
      .toBuffer();
  const pick = (label: string, buffer: Buffer) =>
    page
      .getByRole('group', { name: label, exact: true })
      .locator('input[type=file]')
      .setInputFiles({ name: 'room.png', mimeType: 'image/png', buffer });
  const save = () => page.getByRole('button', { name: 'Save', exact: true }).click();
  await logInAs(await shop.admin());
  await page.goto('/admin/settings?section=home');
  await pick('Large picture', await aRoom(1600, 1000));
  await expect(page.getByRole('img', { name: 'Large picture' })).toBeVisible();
  await pick('Sofa', await aRoom(800, 900));
  await expect(page.getByRole('img', { name: 'Sofa' })).toBeVisible();
  await save();
  const words = page.getByLabel('What the large picture shows');
  await expect(words).toHaveAccessibleDescription(/Say what the large picture shows/);
  await words.fill('A green wall');
  await expectFit(page);
  await save();
  await expect(page.getByText('Saved. Customers see it now.')).toBeVisible();

  await page.goto('/');
  await expect(page.getByRole('img', { name: 'A green wall' })).toHaveJSProperty('complete', true);
  const tile = (name: string) => page.locator('#main').getByRole('link', { name, exact: true }).locator('img');
  await expect(tile('Sofa')).toHaveAttribute('src', /^\/images\/\w+-640\.webp$/);
  await expect(tile('Lamp')).not.toHaveAttribute('src', /^\/images/);

  await page.goto('/admin/settings?section=home');
  for (const label of ['Large picture', 'Sofa']) await page.getByRole('button', { name: `Remove ${label}`, exact: true }).click();
  await save();
  await expect(page.getByText('Saved. Customers see it now.')).toBeVisible();
});

test('search engines read the showroom and its opening hours', async ({ page }) => {
  await page.goto('/contact');
  const data: unknown = JSON.parse((await page.locator('script[type="application/ld+json"]').textContent()) ?? '');
  expect(data).toMatchObject({
    '@type': 'FurnitureStore',
    name: 'Hearth & Oak',
    address: { '@type': 'PostalAddress', postalCode: expect.stringMatching(/^[A-Z]+\d/), addressCountry: 'GB' },
    openingHoursSpecification: expect.arrayContaining([
      expect.objectContaining({ dayOfWeek: expect.arrayContaining(['Saturday']), opens: '10:00' }),
    ]),
  });
});
