import { aCardOrder } from './buyer.ts';
import { test } from './fixtures.ts';

test('shots', async ({ page, shop, logInAs }) => {
  const { payment } = await aCardOrder(shop, 'Bea Shots');
  await page.goto(payment);
  await page.getByRole('button', { name: 'Pay the balance out' }).click();
  await logInAs(await shop.admin());
  await shop.withDatabase(async (db) => {
    await db
      .insertInto('bookFaults')
      .values({
        key: 'x',
        text: 'Order K7MX-4QPD costs £300.00, and the provider took £310.00',
        todo: 'Refund the difference at the provider, or ask the customer for it.',
        path: '/admin/orderdetails/x',
      })
      .execute();
  });
  for (const [width, height] of [
    [390, 844],
    [768, 1024],
    [1280, 800],
    [1920, 1080],
  ] as const) {
    await page.setViewportSize({ width, height });
    await page.goto('/admin/books?from=2026-11-23');
    await page.getByRole('heading', { name: 'What does not agree' }).waitFor();
    await page.screenshot({ path: `/tmp/reports-books-${width}.png`, fullPage: true });
  }
});
