import type { Page } from '@playwright/test';
import { SECTION_NAMES, SECTIONS, type SectionName } from '#contract/settings/sections.schema.ts';
import type { SettingsSection } from '#contract/settings/settings.schema.ts';
import { expect, expectAccessible, test } from './fixtures.ts';
import { aLogo, expectFit } from './office.ts';
import { tabTo } from './tab-to.ts';

const saved = (page: Page) => page.getByText('Saved. Customers see it now.');

test('each section of the settings, its preview and the list before opening satisfy axe and fit on large and small screens (§23.1)', {
  tag: '@thorough',
}, async ({ page, shop, logInAs }) => {
  test.slow();
  await logInAs(await shop.admin());
  for (const tab of ['opening', ...SECTION_NAMES, 'guide'])
    await test.step(tab, async () => {
      await page.goto(`/admin/settings?section=${tab}`);
      if (tab in SECTIONS) await expect(page.getByRole('button', { name: 'Save', exact: true })).toBeVisible();
      else await expect(page.getByText(tab === 'opening' ? 'Emails arrive' : 'Setting up').first()).toBeVisible();
      await expectFit(page);
      const size = page.viewportSize();
      await page.setViewportSize({ width: 390, height: 844 });
      await expectAccessible(page, { 'color-contrast': { enabled: false } });
      if (size) await page.setViewportSize(size);
    });
});

test('by keyboard alone the owner changes texts, a colour, rows of a table, closed days and a policy; a refusal takes the focus to its field', {
  tag: '@thorough',
}, async ({ page, shop, logInAs, expectedOnConsole }) => {
  test.slow();
  expectedOnConsole.push(/400/);
  const { token } = await shop.admin();
  const read = (section: SectionName) => shop.call<SettingsSection>('GET', `/api/settings/${section}`, { token });
  const before = { shop: await read('shop'), policies: await read('policies') };
  await logInAs(await shop.admin());
  const retype = async (name: RegExp, text: string) => {
    await tabTo(page, name, 200);
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.type(text);
  };
  const save = async () => {
    await tabTo(page, 'Save', 200);
    await page.keyboard.press('Enter');
  };
  await page.goto('/admin/settings?section=shop');
  await expect(page.getByLabel('Strapline')).toBeVisible();
  await retype(/^Strapline/, 'Typed without a mouse.');
  await retype(/^Main colour/, '#e0a060');
  await save();
  await expect(page.getByLabel('Main colour', { exact: true })).toBeFocused();
  await expect(page.getByLabel('Main colour', { exact: true })).toHaveAccessibleDescription(/Too light to read/);
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.type('#1b2a49');
  await save();
  await expect(saved(page)).toBeVisible();

  await page.goto('/admin/settings?section=delivery');
  const calendar = page.getByRole('group', { name: 'Calendar' });
  const firstDays = calendar.getByLabel('First day');
  const days = await firstDays.count();
  await tabTo(page, 'Add days', 300);
  await page.keyboard.press('Enter');
  await expect(firstDays.last()).toBeFocused();
  // A date is typed part by part.
  await page.keyboard.type('12242026');
  await tabTo(page, /^Last day/);
  await page.keyboard.type('01022027');
  await tabTo(page, /^What is different/);
  await page.keyboard.type('closed');
  await tabTo(page, /^Note/);
  await page.keyboard.type('Christmas');
  await save();
  await expect(saved(page)).toBeVisible();
  await tabTo(page, `Remove days ${days + 1} of Calendar`, 300);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Add days' })).toBeFocused();
  await expect(firstDays).toHaveCount(days);
  await save();
  await expect(saved(page)).toBeVisible();

  await page.goto('/admin/settings?section=policies');
  await retype(/^Refund policy/, '## Money back\n\nAsk **{shop}** within {returnDays} days.');
  await save();
  await expect(saved(page)).toBeVisible();

  await page.goto('/admin/settings?section=shop');
  const logo = page.getByRole('group', { name: 'Logo' });
  await expect(logo).toBeVisible();
  await tabTo(page, 'Choose a picture for Logo', 100);
  await logo.locator('input[type=file]').setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: await aLogo() });
  await expect(logo.getByRole('img')).toBeVisible();

  // Other tests look at this shop, too.
  for (const section of ['shop', 'policies'] as const) {
    const { version } = await read(section);
    await shop.call('PUT', `/api/settings/${section}`, { token, body: { version, values: before[section].values } });
  }
});

test('on a phone the owner changes a price of delivery and adds closed days by touch', {
  tag: ['@thorough', '@touch'],
}, async ({ page, shop, logInAs }) => {
  await logInAs(await shop.admin());
  await page.goto('/admin/settings?section=delivery');
  const methods = page.getByRole('group', { name: 'Delivery methods' });
  const price = methods.getByLabel('Price').first();
  const was = await price.inputValue();
  await price.tap();
  await price.fill('41');
  const calendar = page.getByRole('group', { name: 'Calendar' });
  await calendar.getByRole('button', { name: 'Add days' }).tap();
  await expect(calendar.getByLabel('First day').last()).toBeFocused();
  await calendar.getByLabel('First day').last().fill('2026-12-24');
  await calendar.getByLabel('Last day').last().fill('2027-01-02');
  await page.getByRole('button', { name: 'Save', exact: true }).tap();
  await expect(saved(page)).toBeVisible();
  await price.fill(was);
  await calendar
    .getByRole('button', { name: /^Remove days/ })
    .last()
    .tap();
  await page.getByRole('button', { name: 'Save', exact: true }).tap();
  await expect(saved(page)).toBeVisible();
});
