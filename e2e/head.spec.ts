import { expect, type Shop, test } from './fixtures.ts';

/** The document as a search engine gets it, without scripts. */
const documentOf = async (shop: Shop, path: string) => (await fetch(shop.url + path)).text();
const tag = (html: string, pattern: RegExp) => pattern.exec(html)?.[1];

test('home carries the default metadata: a welcome, the best furniture, a short slogan (§2.4.5)', async ({ shop }) => {
  const html = await documentOf(shop, '/');
  expect(tag(html, /<title>([^<]*)</)).toBe('Welcome to Hearth &amp; Oak');
  expect(tag(html, /<meta name="description" content="([^"]*)"/)).toMatch(/^We sell the best furniture/);
  expect(tag(html, /<meta name="keywords" content="([^"]*)"/)).toBe('stylish furniture, comfortable rooms');
  expect(tag(html, /<link rel="canonical" href="([^"]*)"/)).toBe(`${shop.url}/`);
  expect(tag(html, /<meta property="og:image" content="([^"]*)"/)).toMatch(new RegExp(`^${shop.url}/assets/`));
  expect(html).not.toContain('noindex');
});

test('a list’s one true address leaves out what only narrows or orders it; a search is not indexed', async ({ shop }) => {
  const list = await documentOf(shop, '/shop?query=Sofa&inStock=true&minPrice=5&sortBy=rating');
  expect(tag(list, /<link rel="canonical" href="([^"]*)"/)).toBe(`${shop.url}/shop?query=Sofa`);
  const paged = await documentOf(shop, '/shop?currPage=2&sortBy=rating');
  expect(tag(paged, /<link rel="canonical" href="([^"]*)"/)).toBe(`${shop.url}/shop?currPage=2`);
  const search = await documentOf(shop, '/shop?search=lamp');
  expect(search).toContain('<meta name="robots" content="noindex"/>');
  expect(tag(search, /<title>([^<]*)</)).toBe('lamp');
});

test('a product carries title, description, picture and structured data, in which nothing ends the element', async ({ shop }) => {
  const { _id } = await shop.aProduct({ name: 'Schema </script> Sofa', price: '123456', description: 'Soft & "wide".' });
  const html = await documentOf(shop, `/product/${_id}`);
  expect(tag(html, /<title>([^<]*)</)).toBe('Schema &lt;/script&gt; Sofa');
  expect(tag(html, /<link rel="canonical" href="([^"]*)"/)).toBe(`${shop.url}/product/${_id}`);
  const data = JSON.parse(tag(html, /<script type="application\/ld\+json">([^<]*)<\/script>/) ?? '') as { '@graph': object[] };
  expect(data['@graph']).toMatchObject([
    {
      '@type': 'Product',
      name: 'Schema </script> Sofa',
      description: 'Soft & "wide".',
      offers: { '@type': 'Offer', price: '1234.56', priceCurrency: 'GBP', availability: 'https://schema.org/InStock' },
    },
    { '@type': 'BreadcrumbList', itemListElement: [{ position: 1, name: 'Home' }, { position: 2 }, { position: 3 }] },
  ]);
});

test('the structured data of a product has an offer for each of its sizes', async ({ shop }) => {
  const sizes = [50_000, 0].map((price, n) => ({ size: `Size ${n}`, quantity: 1, price, measurements: [] }));
  const { _id } = await shop.aProduct({ price: '60000', sizes: JSON.stringify(sizes) });
  const html = await documentOf(shop, `/product/${_id}`);
  const data = JSON.parse(tag(html, /<script type="application\/ld\+json">([^<]*)<\/script>/) ?? '') as { '@graph': object[] };
  expect(data['@graph'][0]).toMatchObject({
    '@type': 'ProductGroup',
    hasVariant: [
      { size: 'Size 0', offers: { '@type': 'Offer', price: '500.00', priceCurrency: 'GBP' } },
      { size: 'Size 1', offers: { '@type': 'Offer', price: '600.00', priceCurrency: 'GBP' } },
    ],
  });
});

test('pages of the visitor and what is not there are not indexed', async ({ shop }) => {
  for (const path of [
    '/cart?wishlist=0123456789abcdef',
    '/login',
    '/register',
    '/forget-password',
    '/successPayment',
    '/no/such/page',
    '/product/nothing',
  ])
    expect(await documentOf(shop, path), path).toContain('<meta name="robots" content="noindex"/>');
});

test('pages of an account and of the back office are not indexed', { tag: '@thorough' }, async ({ shop, page, logInAs }) => {
  await logInAs(await shop.admin());
  for (const path of ['/profile', '/orders', '/checkout', '/admin/userlist', '/admin/productlist', '/admin/orderlist']) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(page.locator('head meta[name="robots"]'), path).toHaveAttribute('content', 'noindex');
  }
});

test('robots.txt shuts the machines out of what is not for them and names the sitemap, which names every product', async ({ shop }) => {
  const { _id } = await shop.aProduct({ name: 'Mapped Sofa' });
  const robots = await documentOf(shop, '/robots.txt');
  for (const path of ['/admin/', '/api/', '/checkout']) expect(robots).toContain(`Disallow: ${path}\n`);
  expect(robots).toContain(`Sitemap: ${shop.url}/sitemap.xml`);
  const reply = await fetch(`${shop.url}/sitemap.xml`);
  expect(reply.headers.get('content-type')).toContain('application/xml');
  const map = await reply.text();
  for (const path of ['/', '/newarrivals', '/shop', '/shop?query=Sofa', '/contact', `/product/${_id}`])
    expect(map).toContain(`<loc>${shop.url}${path}</loc>`);
});
