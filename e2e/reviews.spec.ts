import type { Page } from '@playwright/test';
import { expect, expectAccessible, expectNoSidewaysScroll, expectToast, logIn, type Shop, test } from './fixtures.ts';
import { anOrder } from './office.ts';

const PICTURE = 'demo/pictures/alder-carver-chair.webp';

/** A product, and somebody who has received it. */
async function aBuyer(shop: Shop, name = 'Casey Example', product?: Awaited<ReturnType<Shop['aProduct']>>) {
  const bought = product ?? (await shop.aProduct({ name: 'Reviewed Sofa', category: name.split(' ')[0] ?? '' }));
  const buyer = await shop.aCustomer(name);
  const { _id: order } = await anOrder(shop, { buyer, product: bought });
  const { token } = await shop.admin();
  await shop.call('PUT', `/api/orders/${order}/deliver`, { token, body: { isDelivered: true } });
  return { buyer, product: bought, order };
}

/** A review that was written through the API. */
async function aReview(shop: Shop, product: Awaited<ReturnType<Shop['aProduct']>>, rating: number, text: string) {
  const { buyer } = await aBuyer(shop, `Reader ${rating}`, product);
  const form = new FormData();
  form.append('rating', String(rating));
  form.append('text', text);
  const { _id } = await shop.call<{ _id: string }>('POST', `/api/products/${product._id}/reviews`, { token: buyer.token, form });
  return { _id, buyer };
}

const reviews = (page: Page) => page.getByRole('region', { name: 'Reviews' });
/** The reviews' code is loaded when they come near: as a person does, look at them before clicking. */
async function lookAtReviews(page: Page): Promise<void> {
  await reviews(page).scrollIntoViewIfNeeded();
  await expect(reviews(page)).toHaveAttribute('data-ready');
}
const items = (page: Page) => page.getByRole('list', { name: 'Reviews' }).getByRole('article');

test('from the order page a customer rates a piece by keyboard, writes and adds pictures, once (§18.3, §18.5)', async ({
  page,
  shop,
  logInAs,
}) => {
  const { buyer, order } = await aBuyer(shop);
  await logInAs(buyer);
  await page.goto(`/order/${order}`);
  await page.getByRole('link', { name: 'Review Reviewed Sofa' }).press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Review Reviewed Sofa' });
  await expect(dialog).toBeVisible();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Send review' }).press('Enter');
  await expect(dialog.getByRole('alert')).toContainText('Choose from 1 to 5 stars.');
  await expectAccessible(page);
  await dialog.getByRole('radio', { name: '3 stars, good' }).focus();
  await page.keyboard.press('ArrowRight');
  await expect(dialog.getByRole('radio', { name: '4 stars, very good' })).toBeChecked();
  await dialog.getByLabel('What do you think of it?').fill('Sits well.\n<script>alert(1)</script>');
  await dialog.getByLabel('Pictures').setInputFiles([PICTURE, PICTURE, PICTURE, PICTURE]);
  await expect(dialog.getByText('At most 3 pictures can be added.')).toBeVisible();
  await dialog
    .getByRole('button', { name: /^Remove/ })
    .first()
    .click();
  await dialog
    .getByRole('button', { name: /^Remove/ })
    .first()
    .click();
  await expectNoSidewaysScroll(page);
  await dialog.getByRole('button', { name: 'Send review' }).click();
  await expectToast(page, 'Thank you for your review.');
  await expect(dialog).toBeHidden();
  const review = items(page).first();
  await expect(review).toContainText('Casey E.');
  await expect(review).toContainText('Verified purchase');
  await expect(review).toContainText('4.0 out of 5 stars');
  await expect(review).toContainText('<script>alert(1)</script>');
  await expect.poll(() => review.locator('img').evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
  await expect(reviews(page)).toContainText('Your review');
  // It is in the list beside that, and not repeated.
  await expect(reviews(page).getByText('Casey E.')).toHaveCount(1);
  await expect(page.getByRole('button', { name: 'Write a review' })).toHaveCount(0);
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await page.reload();
  await expect(page.locator('#main')).toContainText('4.0 out of 5 stars (1 review)');
  await page.goto('/shop?query=Casey');
  const card = page.getByRole('article').filter({ hasText: 'Reviewed Sofa' }).first();
  await expect(card).toContainText('4.0 out of 5 stars (1 review)');
  await expect(card).not.toContainText('Our rating');
});

test('the link in a mail leads through the login to the form of the review (§18.5)', { tag: '@thorough' }, async ({ page, shop }) => {
  const { buyer, product } = await aBuyer(shop);
  await page.goto(`/product/${product._id}#write-review`);
  await lookAtReviews(page);
  await page.getByRole('link', { name: 'Tell others how it is' }).click();
  await logIn(page, buyer);
  await expect(page).toHaveURL(`${shop.url}/product/${product._id}#write-review`);
  await expect(page.getByRole('dialog', { name: 'Review Reviewed Sofa' })).toBeVisible();
});

test('what was typed survives a reload; a customer can change and delete their own review (§18.1)', { tag: '@thorough' }, async ({
  page,
  shop,
  logInAs,
}) => {
  const { buyer, product } = await aBuyer(shop);
  await logInAs(buyer);
  await page.goto(`/product/${product._id}`);
  await lookAtReviews(page);
  await page.getByRole('button', { name: 'Write a review' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('radio', { name: '2 stars, fair' }).check({ force: true });
  await dialog.getByLabel('What do you think of it?').fill('Half a thought');
  await page.reload();
  await lookAtReviews(page);
  await page.getByRole('button', { name: 'Write a review' }).click();
  await expect(dialog.getByLabel('What do you think of it?')).toHaveValue('Half a thought');
  await expect(dialog.getByRole('radio', { name: '2 stars, fair' })).toBeChecked();
  await dialog.getByLabel('Pictures').setInputFiles(PICTURE);
  await dialog.getByRole('button', { name: 'Send review' }).click();
  await expect(items(page)).toHaveCount(1);
  await page.getByRole('button', { name: 'Change my review' }).press('Enter');
  await expect(dialog.getByLabel('What do you think of it?')).toHaveValue('Half a thought');
  await expect(dialog.getByRole('button', { name: 'Remove picture 1' })).toBeVisible();
  await dialog.getByRole('radio', { name: '5 stars, excellent' }).check({ force: true });
  await dialog.getByLabel('What do you think of it?').fill('A whole thought');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Save review' }).click();
  await expectToast(page, 'Your review has been updated.');
  await expect(items(page)).toHaveText(/5\.0 out of 5 stars.*A whole thought/s);
  await expect(items(page).getByRole('link', { name: /^Picture 1 of 1/ })).toBeVisible();
  await page.getByRole('button', { name: 'Delete my review' }).click();
  await expect(page.getByRole('button', { name: 'Keep it' })).toBeFocused();
  await page.getByRole('button', { name: 'Delete it for good' }).click();
  await expect(reviews(page)).toContainText('No reviews yet.');
  await expect(page.getByRole('button', { name: 'Write a review' })).toBeVisible();
});

test('reviews are read with their distribution, sorted and turned by keyboard, and found helpful once (§18.2)', {
  tag: '@thorough',
}, async ({ page, shop, logInAs }) => {
  const product = await shop.aProduct({ name: 'Much Reviewed' });
  for (const [index, rating] of [5, 1, 4, 4, 3, 5, 5].entries()) await aReview(shop, product, rating, `Review number ${index + 1}`);
  await page.goto(`/product/${product._id}`);
  await expect(items(page)).toHaveCount(6);
  await expect(items(page).first()).toContainText('Review number 7');
  await expect(reviews(page).getByRole('list', { name: 'Reviews by number of stars' }).getByRole('listitem')).toHaveText([
    '5 stars3',
    '4 stars2',
    '3 stars1',
    '2 stars0',
    '1 star1',
  ]);
  await lookAtReviews(page);
  const sort = reviews(page).getByLabel('Sort reviews');
  await sort.selectOption('Lowest rating');
  await expect(items(page).first()).toContainText('Review number 2');
  await reviews(page).getByRole('link', { name: 'Next page' }).press('Enter');
  await expect(items(page)).toHaveCount(1);
  await expect(page).toHaveURL(`${shop.url}/product/${product._id}?reviewPage=2&reviewSort=lowest#reviews`);
  await expect(reviews(page).getByRole('heading', { name: 'Reviews' })).toBeInViewport();
  await page.reload();
  await expect(items(page)).toHaveCount(1);
  await expect(reviews(page).getByRole('link', { name: 'Page 2' })).toHaveAttribute('aria-current', 'page');
  await expect(sort).toHaveValue('lowest');
  await page.goBack();
  await expect(items(page).first()).toContainText('Review number 2');
  await page.goBack();
  await expect(items(page).first()).toContainText('Review number 7');
  await expect(sort).toHaveValue('newest');
  await page.goForward();
  await page.goForward();
  await expect(items(page)).toHaveCount(1);
  await lookAtReviews(page);
  await reviews(page).getByRole('button', { name: 'Helpful' }).click();
  await expect(reviews(page)).toContainText('Log in to say that a review helped you.');
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await logInAs((await aBuyer(shop)).buyer);
  await page.reload();
  await lookAtReviews(page);
  await expect(reviews(page)).toContainText('Only customers who have received this piece can review it.');
  const helpful = items(page).first().getByRole('button', { name: 'Helpful' });
  await helpful.press('Enter');
  await expect(items(page).first()).toContainText('1 person found this helpful.');
  await expect(helpful).toHaveAttribute('aria-pressed', 'true');
  await page.reload();
  await lookAtReviews(page);
  await expect(helpful).toHaveAttribute('aria-pressed', 'true');
  await expectAccessible(page);
});

test('search engines are told of real reviews only (§18.3)', async ({ page, shop }) => {
  const schemaOf = async (path: string) => {
    await page.goto(path);
    const text = await page.locator('script[type="application/ld+json"]').first().textContent();
    return (JSON.parse(text ?? '') as { '@graph': Record<string, unknown>[] })['@graph'].find((part) =>
      /^Product/.test(String(part['@type'])),
    );
  };
  const { products } = await shop.call<{ products: { _id: string; rating: number }[] }>('GET', '/api/products?search=oslo+sofa');
  expect(products[0]?.rating).toBeGreaterThan(0);
  expect(await schemaOf(`/product/${products[0]?._id}`)).not.toHaveProperty('aggregateRating');
  const product = await shop.aProduct({ name: 'Told Sofa' });
  await aReview(shop, product, 5, 'Sits well.');
  await aReview(shop, product, 2, '');
  expect(await schemaOf(`/product/${product._id}`)).toMatchObject({
    aggregateRating: { ratingValue: 3.5, reviewCount: 2 },
    review: [{ author: { name: 'Reader' }, reviewRating: { ratingValue: 2 } }, { reviewBody: 'Sits well.' }],
  });
});

test('an administrator hides a review with a reason and answers another publicly (§18.6)', { tag: '@thorough' }, async ({
  page,
  shop,
  logInAs,
}) => {
  const product = await shop.aProduct({ name: 'Moderated Sofa' });
  await aReview(shop, product, 1, 'Rude words');
  await aReview(shop, product, 3, 'A leg was loose.');
  await logInAs(await shop.admin());
  await page.goto(`/admin/editproduct/${product._id}`);
  await page.getByRole('button', { name: 'Hide the review by Reader 1' }).click();
  await page.getByRole('button', { name: 'Hide the review', exact: true }).click();
  await expect(page.getByText('Say why the review is hidden.').first()).toBeVisible();
  await page.getByLabel('Why is it hidden?').fill('Insults somebody');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Hide the review', exact: true }).click();
  await expect(page.getByText('Hidden: Insults somebody')).toBeVisible();
  await expect(page.getByText('Hid a review of 1 star: Insults somebody')).toBeVisible();
  await page.getByRole('button', { name: 'Answer the review by Reader 3' }).click();
  await page.getByLabel('Our answer').fill('We have sent a new one.');
  await page.getByRole('button', { name: 'Publish the answer' }).click();
  await expect(page.getByRole('button', { name: 'Change the answer to the review by Reader 3' })).toBeVisible();
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await page.goto(`/product/${product._id}`);
  await expect(items(page)).toHaveCount(1);
  await expect(items(page)).toContainText('We have sent a new one.');
  await expect(items(page)).toContainText('Hearth & Oak answered on');
});

test('a review with an address waits in the list of the back office, whose author reads that it waits (§18.7)', {
  tag: '@thorough',
}, async ({ page, shop, logInAs }) => {
  // Other tests' reviews wait in the same shop.
  const { token } = await shop.admin();
  const { reviews: others } = await shop.call<{ reviews: { _id: string }[] }>('GET', '/api/office/reviews', { token });
  for (const { _id } of others) await shop.call('PUT', `/api/reviews/${_id}/hidden`, { token, body: { isHidden: false } });
  const product = await shop.aProduct({ name: 'Advertised Sofa' });
  const { buyer } = await aReview(shop, product, 2, 'Cheaper on https://deals.example');
  await aReview(shop, product, 5, 'Sits well.');
  await logInAs(buyer);
  await page.goto(`/product/${product._id}`);
  await lookAtReviews(page);
  await expect(page.getByText('Your review appears here once we have read it.')).toBeVisible();
  await expect(items(page)).toHaveCount(1);

  await logInAs(await shop.admin());
  await page.goto('/admin/today');
  await page
    .getByRole('navigation', { name: 'Office' })
    .getByRole('link', { name: /^Reviews/ })
    .click();
  const entry = page.getByRole('listitem').filter({ hasText: 'Cheaper on' });
  await expect(entry).toContainText('Customers do not see it yet');
  await expect(entry.getByRole('link', { name: 'Advertised Sofa' })).toBeVisible();
  await expectAccessible(page);
  await entry.getByRole('button', { name: 'Show the review by Reader 2' }).click();
  await expect(entry.getByText('Customers do not see it yet')).toBeHidden();
  const keep = page.getByRole('listitem').filter({ hasText: 'Sits well.' }).getByRole('button', { name: 'Keep the review by Reader 5' });
  await keep.click();
  await expect(keep).toBeHidden();
  await page.setViewportSize({ width: 390, height: 844 });
  await expectNoSidewaysScroll(page);
  await page.reload();
  await expect(page.getByText('Advertised Sofa')).toHaveCount(0);
  await page.goto(`/product/${product._id}`);
  await expect(items(page)).toHaveCount(2);
});

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false });
  test('reviews can be read, and what needs scripts is not offered (§18.2)', { tag: '@thorough' }, async ({ page, shop }) => {
    const product = await shop.aProduct({ name: 'Plainly Reviewed' });
    for (let n = 0; n < 7; n += 1) await aReview(shop, product, 4, `Read me without scripts, ${n}.`);
    await page.goto(`/product/${product._id}`);
    await expect(items(page).first()).toContainText('Read me without scripts, 6.');
    await reviews(page).getByRole('link', { name: 'Next page' }).click();
    await expect(items(page)).toHaveText(/Read me without scripts, 0\./);
    await expect(reviews(page).getByRole('button', { name: 'Helpful' })).toBeHidden();
  });
});

test('the link in a mail asks before it ends the mails about reviews', { tag: '@thorough' }, async ({ page, expectedOnConsole }) => {
  expectedOnConsole.push(/404/);
  await page.goto(`/#stop-review-mails=${'x'.repeat(32)}`);
  const dialog = page.getByRole('dialog', { name: 'Stop emails about reviews?' });
  await expect(dialog).toBeVisible();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Stop these emails' }).press('Enter');
  await expect(dialog.getByRole('alert')).toContainText('We do not recognise this link');
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await expect(page).toHaveURL(/\/$/);
});
