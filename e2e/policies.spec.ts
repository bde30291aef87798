import { expect, test } from './fixtures.ts';

test('the refund policy names the window, the time a refund takes, and the longer rights of UK law (§9.7)', async ({ page }) => {
  await page.goto('/refund-policy');
  const text = page.locator('#main');
  await expect(text).toContainText('within 2-3 days of delivery');
  await expect(text).toContainText('5-10 business days');
  await expect(text).toContainText('Consumer Contracts Regulations 2013');
  await expect(text).toContainText('within 14 days');
  await expect(text).toContainText('Consumer Rights Act 2015');
});

test('the shipping policy names methods, prices, times, processing and cancelling (§9.7)', async ({ page }) => {
  await page.goto('/shipping-policy');
  const cells = page.getByRole('table').getByRole('cell');
  await expect(cells).toHaveText([
    'Standard, orders of £500 or more',
    '5-7 business days',
    'Free',
    'Standard, orders below £500',
    '5-7 business days',
    '£49',
    'Express',
    '2-3 days',
    '£99',
  ]);
  await expect(page.locator('#main')).toContainText('processed in 1-2 business days');
  await expect(page.locator('#main')).toContainText('within 1-2 hours of placing the order. You can cancel later than that as well');
});

test('the contact page names opening hours, the showroom and the social pages (§2.13.1)', async ({ page }) => {
  await page.goto('/contact');
  const main = page.locator('#main');
  await expect(main.getByRole('row')).toHaveCount(3);
  await expect(main.locator('address')).toContainText('14 Tannery Yard');
  await expect(main.getByRole('link', { name: /^Instagram/ })).toBeVisible();
  await expect(main.getByRole('link', { name: /^Facebook/ })).toBeVisible();
});

test('terms and privacy tell who sells, what is kept and for how long, and lead to each other’s pages (§2.13.1)', async ({
  page,
  shop,
}) => {
  await page.goto('/legal');
  await expect(page.getByRole('heading', { name: 'Payment' })).toBeVisible();
  await page.locator('#main').getByRole('link', { name: 'shipping policy' }).click();
  await expect(page).toHaveURL(`${shop.url}/shipping-policy`);
  await page.goto('/privacy');
  await expect(page.getByText(/Reset codes last 10 minutes, logins 30 days/)).toBeVisible();
  await expect(page.getByText(/we remember the network from which an unpaid order came/)).toBeVisible();
});
