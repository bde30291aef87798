import { shopDate } from '../src/contract/market/shop-time.ts';
import { expect, expectAccessible, expectNoSidewaysScroll, test } from './fixtures.ts';
import { anOrder, expectFit } from './office.ts';

test('a courier’s CSV is checked row by row, dispatches its orders with their numbers, and is undone (§20.11)', {
  tag: '@thorough',
}, async ({ page, shop, logInAs }) => {
  const buyer = await shop.aCustomer('Cora Courier');
  const [first, second] = [await anOrder(shop, { buyer }), await anOrder(shop, { buyer })];
  await logInAs(await shop.admin());
  await page.goto(`/admin/orderlist?search=${encodeURIComponent(buyer.email)}`);
  await page.getByRole('button', { name: 'Import tracking numbers' }).click();
  const dialog = page.getByRole('dialog', { name: 'Import tracking numbers' });
  const choose = (csv: string) =>
    dialog.getByLabel('CSV file').setInputFiles({ name: 'courier.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) });
  await choose('Recipient;Reference\nAnn;1');
  await expect(dialog.getByRole('table', { name: 'Errors' })).toContainText(
    'No column has the tracking number. Call it “Tracking number”.',
  );
  await expect(dialog.getByRole('button', { name: 'Carry out' })).toBeDisabled();
  await choose(`\ufeffTracking number;Order reference\n1550 7;${first.reference}\n1550 8;${second.reference}\n1550 9;AAAA-BBBB\n`);
  await expect(dialog).toContainText('If you carry this out: 2 orders dispatched, 1 row left out. Nothing has been changed yet.');
  await dialog.getByLabel('Carrier for rows without one').selectOption('DPD');
  const rows = dialog.getByRole('table', { name: 'Rows' }).getByRole('row');
  await expect(rows.last()).toContainText('Left out: There is no order with this reference.');
  await expectFit(page);
  await dialog.getByRole('button', { name: 'Dispatch 2 orders' }).click();
  await expect(dialog).toContainText('Done: 2 orders dispatched, 1 row left out.');
  await dialog.getByRole('button', { name: 'Done' }).click();
  await expect(page.locator('td[data-label="Status"]').getByText('Dispatched', { exact: true })).toHaveCount(2);
  await page.getByRole('button', { name: 'Undo' }).first().click();
  await expect(page.getByText('2 orders are no longer dispatched. No email was sent.')).toBeVisible();
  await expect(page.locator('td[data-label="Status"]').getByText('Being packed', { exact: true })).toHaveCount(2);
});

test('a picking list and packing slips of a selection, or of all that is found, print on A4 (§20.12)', { tag: '@thorough' }, async ({
  page,
  shop,
  logInAs,
}) => {
  const buyer = await shop.aCustomer('Petra Printer');
  const [chair, lamp] = [await shop.aProduct({ name: 'Zoned Chair' }), await shop.aProduct({ name: 'Aisle Lamp', price: '10950' })];
  const [first, second] = [await anOrder(shop, { buyer, product: chair, qty: 2 }), await anOrder(shop, { buyer, product: lamp, qty: 2 })];
  await anOrder(shop, { buyer, product: chair });
  await logInAs(await shop.admin());
  const list = `/admin/orderlist?search=${encodeURIComponent(buyer.email)}`;
  await page.goto(list);
  await page.getByRole('link', { name: 'Picking list for all found' }).click();
  const pieces = page.getByRole('table', { name: 'Pieces to pick' }).getByRole('row');
  await expect(pieces.nth(1)).toContainText('Aisle Lamp');
  await expect(pieces.nth(1)).toContainText(`2 × ${second.reference}`);
  await expect(pieces.nth(2)).toContainText(/3\s*Zoned Chair/);
  await expect(pieces.nth(2)).toContainText(`2 × ${first.reference}`);
  await expect(page.getByText('5 pieces for 3 orders.')).toBeVisible();
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await page.getByRole('link', { name: 'Go Back' }).click();
  for (const { reference } of [first, second]) await page.getByRole('checkbox', { name: new RegExp(reference) }).check();
  await page.getByRole('link', { name: 'Packing slips for 2 orders' }).click();
  const slips = page.getByRole('article');
  await expect(slips).toHaveCount(2);
  await expect(slips.last()).toContainText('Collect £219.00');
  await expectAccessible(page);
  await page.reload();
  await expect(slips).toHaveCount(2);
  // Each on a page of its own.
  const pdf = (await page.pdf({ format: 'A4' })).toString('latin1');
  expect(pdf.match(/\/Type \/Page\b/g)).toHaveLength(2);
});

test('an order prints as a packing slip: what goes where, without the rest of the page (§3.7)', { tag: '@thorough' }, async ({
  page,
  shop,
  logInAs,
}) => {
  const order = await anOrder(shop, { product: await shop.aProduct({ name: 'Printed Pouffe' }) });
  await logInAs(await shop.admin());
  await page.goto(`/admin/orderdetails/${order._id}`);
  await expect(page.getByRole('button', { name: 'Print packing slip' })).toBeVisible();
  await page.emulateMedia({ media: 'print' });
  const slip = page.getByRole('article', { name: `Packing slip ${order.reference}` });
  for (const text of [
    '14 Tannery Yard',
    order.reference,
    shopDate(order.createdAt),
    'Printed Pouffe',
    '1 High Street',
    '07700 900123',
    'Collect £',
  ])
    await expect(slip.getByText(text).first()).toBeVisible();
  for (const gone of [
    'Order Summary',
    'Print packing slip',
    'Go Back',
    'Mark as delivered',
    'Timeline',
    'Shipping All over UK',
    'Terms of use',
  ])
    await expect(page.getByText(gone).first()).toBeHidden();
});

test('the slips of a cash order in two parcels collect its sum once: each parcel’s share, printed as it leaves (§20.8)', async ({
  page,
  shop,
  logInAs,
}) => {
  const [product, other] = [
    await shop.aProduct({ name: 'Shared Lamp', price: '5000' }),
    await shop.aProduct({ name: 'Shared Stool', price: '9000' }),
  ];
  const order = await anOrder(shop, { product, other });
  await logInAs(await shop.admin());
  await page.goto(`/admin/orderdetails/${order._id}`);
  const main = page.locator('#main');
  const onPaper = async (slips: RegExp[]) => {
    await page.emulateMedia({ media: 'print' });
    const papers = page.getByRole('article', { name: `Packing slip ${order.reference}` });
    await expect(papers).toHaveText(slips);
    await page.emulateMedia({ media: null });
  };
  await onPaper([/Shared Lamp.*Shared Stool.*Collect £140\.00 if everything above is in this parcel$/]);
  await main.getByRole('button', { name: 'Mark as dispatched' }).click();
  await main.getByRole('button', { name: 'One fewer Shared Stool' }).click();
  await main.getByRole('button', { name: 'Dispatch these pieces' }).click();
  await main.getByRole('link', { name: 'Print the packing slip of this parcel' }).click();
  await expect(main.getByRole('button', { name: 'Print', exact: true })).toBeVisible();
  await expectFit(page);
  const lamp = /1Shared Lamp.*1 in all.*Collect £50\.00$/;
  const stool = /1Shared Stool.*1 in all.*Collect £90\.00$/;
  await onPaper([lamp]);
  await page.reload();
  await onPaper([lamp]);
  await main.getByRole('link', { name: 'Go Back' }).click();
  await expect(main.getByRole('button', { name: 'Print packing slip of the rest' })).toBeVisible();
  await onPaper([stool]);
  await main.getByRole('button', { name: 'Dispatch the rest' }).click();
  await main.getByRole('button', { name: 'Dispatch', exact: true }).click();
  await expect(main.getByRole('button', { name: 'Print packing slips' })).toBeVisible();
  await onPaper([lamp, stool]);
  expect((await page.pdf({ format: 'A4' })).toString('latin1').match(/\/Type \/Page\b/g)).toHaveLength(2);
  await main.getByRole('link', { name: 'Packing slip' }).last().click();
  await onPaper([stool]);
});
