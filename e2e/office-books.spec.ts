import { aCardOrder } from './buyer.ts';
import { expect, panelOf, test } from './fixtures.ts';
import { expectFit } from './office.ts';

test('the books show a day’s money beside the provider’s entries; what was paid out is ticked against the bank', async ({
  page,
  shop,
  logInAs,
}) => {
  const { payment } = await aCardOrder(shop, 'Bea Books');
  await page.goto(payment);
  await page.getByRole('button', { name: 'Pay the balance out' }).click();
  await logInAs(await shop.admin());
  await page.goto('/admin/today');
  await page
    .getByRole('navigation', { name: 'Office' })
    .getByRole('link', { name: /^Books/ })
    .click();
  await page.getByRole('button', { name: 'Check now' }).click();
  await expect(page.getByText('Compared again.')).toBeVisible();
  await expect(page.getByText('Everything agrees.').first()).toBeVisible();
  const tick = page.getByRole('checkbox', { name: /^The payout is at the bank: / });
  // Nothing can be ticked while the entries are compared.
  await expect(tick).toBeEnabled();
  await tick.focus();
  await page.keyboard.press('Space');
  await expect(tick).toBeChecked();
  const day = (await tick.getAttribute('aria-label'))?.split(': ')[1] ?? '';
  await page.getByRole('button', { name: day, exact: true }).click();
  const entries = panelOf(page, /^At the payment provider on /);
  await expect(entries.getByText('Payout', { exact: true }).first()).toBeInViewport();
  await page.keyboard.press('Tab');
  await expect(entries.getByRole('link', { name: /^\w{4}-\w{4}$/ }).first()).toBeFocused();
  await expectFit(page);
});
