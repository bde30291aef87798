import { expect, test } from 'vitest';
import { testShop } from '#server/testing/harness.ts';
import { render } from '#web/entry-server.tsx';

const { app } = await testShop({ render });
const page = async (url: string, of = app) => (await of.inject({ url })).body;
const footerOf = (body: string) => /<footer .*<\/footer>/s.exec(body)?.[0];
const currentLinkOf = (body: string) => /<header .*<\/header>/s.exec(body)?.[0].match(/aria-current="page"[^>]*>([^<]*)/)?.[1];

test('a page that takes its header and footer from an earlier one is what it would have been without', async () => {
  // A page that is not there is kept in no cache.
  const [first, second] = [await page('/nothing-here'), await page('/nothing-here')];
  expect(first).toMatch(/<header .*<main .*<footer .*Contact/s);
  expect(second).toBe(first);
});

test('each page marks its own link, whichever was drawn before', async () => {
  const links = ['/', '/newarrivals', '/shop', '/shop?query=Sofa', '/shop?query=Wardrobe', '/privacy', '/', '/contact', '/shop?search=oak'];
  const current = await Promise.all(links.map(async (url) => currentLinkOf(await page(url))));
  expect(current).toEqual(['Home', 'New Arrivals', 'All Products', 'Sofa', 'Wardrobe', undefined, 'Home', undefined, undefined]);
});

test('a shop of another company in the same process has a footer of its own', async () => {
  const other = await testShop({ render, env: { CONTACT_PHONE: '01632 960 961' } });
  expect(footerOf(await page('/nothing-here', other.app))).toContain('01632 960 961');
  expect(footerOf(await page('/nothing-here'))).not.toContain('01632 960 961');
});
