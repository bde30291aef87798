import { expect, test } from 'vitest';
import { POLICY_NAMES, POLICY_PATHS } from '#contract/policies/policies.ts';
import type { SettingsSection } from '#contract/settings/settings.schema.ts';
import { renderMarkdown } from '#server/platform/markdown.ts';
import { anAdmin } from '#server/testing/factories.ts';
import { testShop } from '#server/testing/harness.ts';
import { render } from '#web/entry-server.tsx';

const { app, db } = await testShop({ render });
const { headers } = await anAdmin(db);

const read = async (section: string) => (await app.inject({ url: `/api/settings/${section}`, headers })).json<SettingsSection>();
async function save(changes: object, section = 'policies') {
  const { version, values } = await read(section);
  return app.inject({ method: 'PUT', url: `/api/settings/${section}`, headers, payload: { version, values: { ...values, ...changes } } });
}
const preview = (value: string) =>
  app.inject({ method: 'POST', url: '/api/settings/policies/preview', headers, payload: { field: 'terms', value } });
const main = async (url: string) => /<main.*<\/main>/s.exec((await app.inject({ url })).body)?.[0] ?? '';

test.each(POLICY_NAMES)('the default text of %s has every placeholder filled in, and links to its sections (§2.13.1)', async (name) => {
  const html = await main(POLICY_PATHS[name]);
  expect(html).not.toMatch(/[{}]|\*\*|\]\(/);
  const headings = [...html.matchAll(/<h2 id="([^"]+)">/g)].map(([, id]) => id);
  expect(headings.length).toBeGreaterThan(3);
  for (const id of headings) expect(html).toContain(`href="#${id}"`);
});

test('the owner’s text is on its page at once, with the marks that are known and no other markup', async () => {
  const terms = [
    '## Who we are',
    '**{shop}** sells *furniture*. [Ask us](/contact), [Us](https://example.com/a?b=c).',
    '`code`',
    '- one\n- two',
    '| A | B |\n|---|---|\n| 1 | 2 |',
    '## Who we are',
  ].join('\n\n');
  expect((await save({ terms })).statusCode).toBe(200);
  const html = await main('/legal');
  expect(html).toContain('<strong>Hearth &amp; Oak</strong> sells <em>furniture</em>. <a href="/contact">Ask us</a>');
  expect(html).toContain('<a href="https://example.com/a?b=c">Us</a>');
  expect(html).toContain('<li>one</li>');
  expect(html).toContain('<td>2</td>');
  expect(html).toContain('<h2 id="who-we-are-2">');
  expect(html).not.toMatch(/<img|<code/);
  expect(html).toContain('Last updated on');
  await save({ name: 'Oak **&** <b>Elm</b> [x](/y)' }, 'shop');
  expect(await main('/legal')).toContain('<strong>Oak **&amp;** &lt;b&gt;Elm&lt;/b&gt; [x](/y)</strong>');
});

test('a link that is not allowed stays text, also where it was saved by an earlier version', () => {
  const { html } = renderMarkdown('[Bad](javascript:alert(1)) ![pixel](https://evil.example/p.png) [twice](//evil.example)');
  expect(html).toContain('[Bad](javascript:alert(1))');
  expect(html).not.toMatch(/<img|href="(javascript|\/\/)/);
});

test('an unknown placeholder, HTML or a link that is not allowed is refused in words, in the preview and at the save', async () => {
  for (const [text, words] of [
    ['Order {refrence}', '{refrence} is not a placeholder here. There are {shop}'],
    ['<script>alert(1)</script>', 'instead of HTML such as <script>'],
    ['See [this](javascript:alert(1)).', '[this](javascript:alert(1)) is not a link that works here'],
    ['[twice](//evil.example)', '[twice](//evil.example) is not a link that works here'],
    ['![pixel](https://evil.example/p.png)', 'Pictures cannot stand in this text: take out ![pixel](https://evil.example/p.png)'],
  ] as const)
    for (const reply of [await preview(text), await save({ refunds: text })])
      expect([reply.statusCode, reply.body]).toEqual([400, expect.stringContaining(words)]);
});

test('the preview shows what would be published, and the default text of an empty field', async () => {
  expect((await preview('## Hello\n\nYou have {returnDays} days.')).json()).toMatchObject({
    html: '<h2 id="hello">Hello</h2>\n<p>You have 14 days.</p>\n',
  });
  expect((await preview('')).json()).toMatchObject({
    text: expect.stringContaining('{vatTerms}'),
    html: expect.stringContaining('Prices are in pounds sterling. We are not registered for VAT'),
  });
});

test('a page of an earlier time is filled in with the settings of that time, also where its text is the default one', async () => {
  const { values } = await read('delivery');
  const methods = [
    {
      name: 'Standard delivery',
      price: 45,
      freeFrom: null,
      minDays: 5,
      maxDays: 7,
      counted: 'working days',
      cutOffHour: 14,
      daysToChoose: null,
    },
  ];
  await save({ shipping: '', terms: '' });
  await save({ ...values, methods }, 'delivery');
  await save({ vatNumber: '', office: '1 Old Road' }, 'company');
  await save({ showroom: '2 Old Road' }, 'contact');
  const between = new Date().toISOString();
  await save({ methods: methods.map((one) => ({ ...one, price: 200, minDays: 20, maxDays: 30 })) }, 'delivery');
  await save({ vatNumber: 'GB123456789', office: '1 New Road' }, 'company');
  await save({ showroom: '' }, 'contact');
  const shipping = await main(`/shipping-policy?at=${between}`);
  expect(shipping).toMatch(/5-7 business days.*£45/s);
  expect(shipping).not.toMatch(/20-30|£200/);
  expect(await main('/shipping-policy')).toMatch(/20-30 business days.*£200/s);
  const terms = await main(`/legal?at=${between}`);
  expect(await main('/legal')).toContain('include VAT');
  expect(terms).toContain('We are not registered for VAT');
});

test('a page of an earlier time has the text of that time', async () => {
  const before = new Date(Date.now() - 60_000).toISOString();
  await save({ shipping: 'First text.' });
  const between = new Date().toISOString();
  await save({ shipping: 'Second text.' });
  expect(await main('/shipping-policy')).toContain('Second text.');
  expect(await main(`/shipping-policy?at=${between}`)).toMatch(/As it was on .*First text\./s);
  expect(await main(`/shipping-policy?at=${before}`)).toContain('We deliver all over the UK.');
  for (const at of ['yesterday', '0000-01-01T00:00:00.000Z', '2026-02-30T00:00:00.000Z']) {
    expect((await app.inject({ url: `/api/policies/shipping?at=${at}` })).statusCode).toBe(400);
    expect((await app.inject({ url: `/shipping-policy?at=${at}` })).statusCode).toBe(200);
  }
});
