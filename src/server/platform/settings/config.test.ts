import { expect, test } from 'vitest';
import { MARKETS } from '#contract/market/market.ts';
import { readConfig, wantsDemo } from './config.ts';

test('without settings the shop serves this machine alone, on port 3000, with everything of its own (§17.1)', () => {
  expect(readConfig({})).toMatchObject({
    host: '127.0.0.1',
    port: 3_000,
    publicUrl: 'http://127.0.0.1:3000',
    dataDir: '.data',
    market: MARKETS.classic,
    databaseUrl: undefined,
    smtpUrl: undefined,
    stripe: undefined,
    s3: undefined,
    seedDemo: false,
    isSandbox: true,
  });
});

test('each setting that the specification names is read (§17.1)', () => {
  const env = {
    PORT: '8080',
    HOST: '10.0.0.1',
    PUBLIC_URL: 'https://shop.example/',
    SHOP_DATA_DIR: '/data',
    STORE_MARKET: 'uk',
    DATABASE_URL: 'postgres://db/shop',
    SEED_DEMO: '1',
    SMTP_URL: 'smtp://mail',
    MAIL_FROM: 'Shop <shop@shop.example>',
    STRIPE_SECRET_KEY: 'sk_live_x',
    STRIPE_WEBHOOK_SECRET: 'whsec_x',
  };
  expect(readConfig(env)).toMatchObject({
    port: 8_080,
    host: '10.0.0.1',
    publicUrl: 'https://shop.example',
    dataDir: '/data',
    market: MARKETS.uk,
    databaseUrl: 'postgres://db/shop',
    seedDemo: true,
    smtpUrl: 'smtp://mail',
    mailFrom: 'Shop <shop@shop.example>',
    stripe: { secretKey: 'sk_live_x', webhookSecret: 'whsec_x' },
    isSandbox: false,
  });
});

test('every setting that is wrong is named, in one go', () => {
  const wrong = { PORT: '99999', STORE_MARKET: 'mars', DATABASE_URL: 'not a url', STRIPE_SECRET_KEY: 'sk_x' };
  for (const name of ['PORT', 'STORE_MARKET', 'DATABASE_URL', 'STRIPE_WEBHOOK_SECRET'])
    expect(() => readConfig(wrong)).toThrow(new RegExp(`^  ${name} `, 'm'));
});

test.each(['key', 'key=%FF', 'key=a%0Ab', 'a b=c', '=c'])('“%s” is no header, and its setting is named', (header) => {
  for (const name of ['PURGE_HEADERS', 'OTEL_EXPORTER_OTLP_HEADERS'])
    expect(() => readConfig({ [name]: `x-shop=oak%20, ${header}` })).toThrow(new RegExp(`^  ${name} must be name=value`, 'm'));
});

test('a header’s value may hold signs that are escaped, and “=”', () => {
  const { front } = readConfig({ FRONT_CACHE_SECONDS: '60', PURGE_URL: 'http://cache', PURGE_HEADERS: 'Fastly-Key=a%2Cb=c, x-shop=oak' });
  expect(front?.purgeHeaders).toEqual({ 'Fastly-Key': 'a,b=c', 'x-shop': 'oak' });
});

test.each([
  [{}, [], true],
  [{}, ['--empty'], false],
  [{ SHOP_DEMO: '0' }, [], false],
  [{ DATABASE_URL: 'postgres://db/shop' }, [], false],
  [{ DATABASE_URL: 'postgres://db/shop', SEED_DEMO: '1' }, [], true],
])('with %j and %j a new shop is filled with the demo: %s', (env, args, isFilled) => {
  expect(wantsDemo(readConfig(env), args)).toBe(isFilled);
});

test('a shop of another name has nothing of the demo’s company, showroom and contact but what is set', () => {
  const said = {
    name: '',
    number: '',
    office: '',
    email: '',
    phone: '',
    hours: '',
    showroom: '',
    vatNumber: '',
    openingHours: [],
    social: [],
  };
  expect(readConfig({ SHOP_NAME: 'Brook & Stone' }).company).toMatchObject({ shop: 'Brook & Stone', ...said });
  expect(readConfig({ COMPANY_NAME: 'Brook Ltd' }).company).toMatchObject({ ...said, shop: 'Brook Ltd', name: 'Brook Ltd' });
  const { company, mailFrom } = readConfig({
    SHOP_NAME: 'Brook & Stone',
    SHOWROOM: '2 Mill Lane, York YO1 7AA',
    OPENING_HOURS: 'Saturday: 10:00 to 12:00',
    SOCIAL_LINKS: 'Instagram=https://instagram.com/brook',
  });
  expect(company).toMatchObject({
    showroom: '2 Mill Lane, York YO1 7AA',
    openingHours: [['Saturday', '10:00 to 12:00']],
    social: [['Instagram', 'https://instagram.com/brook']],
  });
  expect(mailFrom).toBe('"Brook & Stone" <shop@example.com>');
  expect(() => readConfig({ OPENING_HOURS: 'always' })).toThrow(/^ {2}OPENING_HOURS must look like /m);
});
