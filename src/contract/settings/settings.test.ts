import { expect, test } from 'vitest';
import { wordsOf } from '#contract/platform/validation-messages.ts';
import { accentProblem, contrast, DEFAULT_COLOURS, darkProblem, paletteCss } from './palette.ts';
import { textProblem } from './placeholders.ts';
import { changesOf, fieldsOf, labelOfPath, metaOf, SECTIONS, type SectionName, textOfValue } from './sections.schema.ts';

const METHOD = { name: 'Standard delivery', price: '49', freeFrom: '', minDays: '5', maxDays: 7, counted: 'working days', cutOffHour: 14 };

const AREA = { postcodes: 'IV, KW15-17', surcharge: '30', extraDays: '2', without: '', refusal: '' };

const ROOM = { picture: '', shape: 'wide', words: 'A green sofa', pieces: 'Oslo Sofa (55, 66), Table (large) (40.5, 78)' };

const RIGHT = {
  shop: {
    name: 'Oakwell',
    strapline: '',
    logo: '',
    favicon: '',
    ...DEFAULT_COLOURS,
    social: [{ name: 'Pins', address: 'https://pins.example/oakwell' }],
  },
  company: { name: '', number: 'SC123456', office: '', vatNumber: 'gb 123 456 789', vatRate: '17.5', reducedVatRate: '5' },
  mails: Object.fromEntries(Object.keys(fieldsOf('mails')).map((field) => [field, ''])),
  policies: { terms: '{shop} sells furniture{andShowroom}.', privacy: '', shipping: '', refunds: '' },
  contact: {
    email: '',
    phone: '(0117) 496 0000',
    hours: '',
    showroom: '',
    returns: 'Customers post them',
    returnsAddress: '',
    openingHours: [{ days: 'Monday', times: ' 9-5 ' }],
    mailFrom: 'shop@example.com',
  },
  carriers: { list: [{ name: 'Van', link: '' }] },
  reviews: { shown: 'At once', ratingSource: 'Our rating' },
  staff: {
    notices: [{ event: 'Everything', address: 'ruth@example.com', when: 'once a day' }],
    dailyHour: '8',
    lowStock: '5',
    logDays: '365',
  },
  payment: {
    wallets: [{ wallet: 'PayPal' }],
    instalments: [{ lender: 'Klarna', from: '50', to: '2000', words: '18+, subject to status.' }],
  },
  delivery: {
    methods: [METHOD],
    areas: [AREA, { ...AREA, postcodes: 'IM', without: 'standard delivery', refusal: 'Ask us first.' }],
    calendar: [{ from: '2026-12-24', to: '2027-01-02', what: 'closed', note: '' }],
    notices: [{ from: '2026-12-01', to: '2026-12-24', text: 'Closed from 24 December.' }],
  },
  home: { hero: '/images/abc-1200.webp', heroText: 'A sofa', wardrobe: '', sofa: '', chair: '', lamp: '', bench: '', table: '' },
  catalogue: { categories: [{ name: 'Sofa', text: '', picture: '' }], rooms: [ROOM] },
};

const errorsOf = (section: SectionName, changes: object) => {
  const { error } = SECTIONS[section].schema.safeParse({ ...RIGHT[section], ...changes });
  return error ? wordsOf(error).errors : {};
};

test('what was typed is read without the spaces around it, numbers as numbers', () => {
  expect(SECTIONS.company.schema.parse(RIGHT.company).vatRate).toBe(17.5);
  expect(SECTIONS.contact.schema.parse(RIGHT.contact).openingHours).toEqual([{ days: 'Monday', times: '9-5' }]);
});

test.each<[SectionName, object, Record<string, string>]>([
  ['shop', { name: ' ' }, { name: 'Trading name is required' }],
  ['shop', { name: 7 }, { name: 'Trading name is required' }],
  ['shop', { name: 'o'.repeat(61) }, { name: 'Trading name can have at most 60 characters' }],
  ['shop', { name: 'Oak\r\nBcc: all@example.com' }, { name: 'Trading name must be one line' }],
  ['shop', { dark: '' }, { dark: 'Main colour is required' }],
  [
    'shop',
    { social: [{ name: '', address: 'pins.example' }] },
    {
      'social.0.name': 'Name is required',
      'social.0.address': 'Write the whole address, such as https://www.example.com/yourshop',
    },
  ],
  ['shop', { social: Array(9).fill(RIGHT.shop.social[0]) }, { social: 'Social links can have at most 8 rows' }],
  ['company', { number: '123' }, { number: 'A company number has 8 characters, such as 01234567' }],
  ['company', { vatNumber: 'GB12' }, { vatNumber: 'A VAT number is GB with 9 or 12 digits' }],
  ['company', { vatRate: '' }, { vatRate: 'VAT rate must be a number from 0 to 100 (per cent), with at most 2 decimals' }],
  ['company', { vatRate: '17.555' }, { vatRate: 'VAT rate must be a number from 0 to 100 (per cent), with at most 2 decimals' }],
  ['company', { vatRate: 101 }, { vatRate: 'VAT rate must be a number from 0 to 100 (per cent), with at most 2 decimals' }],
  ['contact', { email: 'a@b' }, { email: 'Write an email address, such as hello@example.com' }],
  [
    'policies',
    { terms: 'Ask {shop}, {nobody}' },
    { terms: expect.stringMatching(/^\{nobody\} is not a placeholder here\. There are \{shop\}, /) },
  ],
  ['policies', { terms: 'A <b>bold</b> word' }, { terms: expect.stringContaining('instead of HTML such as <b>') }],
  ['policies', { terms: 'o'.repeat(50_001) }, { terms: 'Terms of service can have at most 50,000 characters' }],
  ['home', { heroText: '' }, { heroText: 'Say what the large picture shows' }],
  ['home', { sofa: 'https://pictures.example/sofa.webp' }, { sofa: 'Sofa must be a picture that was uploaded here' }],
  ['contact', { mailFrom: '' }, { mailFrom: 'Sender of emails is required' }],
  [
    'carriers',
    {
      list: [
        { name: 'One', link: 'http://one.example/{number}' },
        { name: 'Two', link: 'https://two.example/{number}/{number}' },
      ],
    },
    {
      'list.0.link': 'Write the whole address, such as https://www.example.com/yourshop',
      'list.1.link': 'Write {number} once, where the tracking number belongs',
    },
  ],
  [
    'carriers',
    {
      list: [
        { name: 'One', link: '' },
        { name: 'one', link: '' },
      ],
    },
    { 'list.1.name': 'Another carrier has this name' },
  ],
  [
    'staff',
    {
      notices: [
        { event: 'Everything', address: 'ruth', when: 'hourly' },
        { event: 'New order', address: 'anna@example.com', when: 'at once' },
        { event: 'New order', address: 'Anna@example.com', when: 'once a day' },
      ],
      dailyHour: '24',
    },
    {
      'notices.0.address': 'Write an email address, such as hello@example.com',
      'notices.0.when': 'When must be one of at once, once a day',
      dailyHour: 'Daily emails at must be a number from 0 to 23 (hour)',
    },
  ],
  [
    'mails',
    { orderPlaced_subject: 'Order {number}', dispatched_before: 'A <b>van</b> brings {toAddress}.', backInStock_after: '{reference}' },
    {
      orderPlaced_subject: '{number} is not a placeholder here. There are {shop}, {reference}',
      dispatched_before: expect.stringContaining('instead of HTML such as <b>'),
      backInStock_after: '{reference} is not a placeholder here. There are {shop}, {product}',
    },
  ],
  [
    'mails',
    { orderPlaced_subject: 'o'.repeat(151) },
    { orderPlaced_subject: 'Order confirmation: Subject can have at most 150 characters' },
  ],
  ['payment', { wallets: [{ wallet: 'Cheque' }] }, { 'wallets.0.wallet': 'Wallet must be one of Apple Pay, Google Pay, PayPal' }],
  [
    'payment',
    { instalments: [{ lender: 'Klarna', from: '2000', to: '50', words: '' }] },
    { 'instalments.0.to': 'Up to must be at least £2,000', 'instalments.0.words': 'Lender’s sentence is required' },
  ],
  [
    'catalogue',
    {
      categories: [{ name: 'Sofa', text: '', picture: 'https://example.com/sofa.jpg' }],
      rooms: [{ ...ROOM, pieces: 'Oslo Sofa (155, 6)' }],
    },
    {
      'categories.0.picture': 'Picture must be a picture that was uploaded here',
      'rooms.0.pieces': 'Write each piece with its place, such as Oslo Sofa (55, 66), Orla Round Coffee Table (40, 78)',
    },
  ],
  ['delivery', { methods: [] }, { methods: 'Nobody could be sent anything: add a method' }],
  [
    'delivery',
    { methods: [METHOD, { ...METHOD, name: 'STANDARD', price: 'free', freeFrom: '-1', maxDays: 4, counted: 'weeks', cutOffHour: 24 }] },
    {
      'methods.1.price': 'Price must be a number from 0 to 10,000 (£), with at most 2 decimals',
      'methods.1.freeFrom': 'Free from must be a number from 0 to 1,000,000 (£), with at most 2 decimals',
      'methods.1.cutOffHour': 'Order by must be a number from 0 to 23 (hour)',
      'methods.1.counted': 'Counted in must be one of working days, all days',
    },
  ],
  [
    'delivery',
    { methods: [METHOD, { ...METHOD, name: 'STANDARD', maxDays: 4 }, { ...METHOD, name: '&' }] },
    {
      'methods.1.maxDays': 'This is less than “At least”',
      'methods.1.name': 'Another method has this name',
      'methods.2.name': 'Name needs a letter or a digit',
    },
  ],
  [
    'delivery',
    { areas: [{ ...AREA, postcodes: 'IV, XX' }] },
    { 'areas.0.postcodes': '“XX” is not the beginning of a postcode: write IV, KW15-17 or BT' },
  ],
  [
    'delivery',
    { areas: [AREA, { ...AREA, postcodes: 'HS, KW16', without: 'Owl' }, { ...AREA, postcodes: 'BT', without: 'Standard delivery' }] },
    {
      'areas.1.postcodes': 'KW16 is also in area 1',
      'areas.1.without': 'No method is called “Owl”',
      'areas.2.without': 'No method is left: keep one, or say that you do not deliver there',
    },
  ],
  [
    'delivery',
    { calendar: [{ from: '2026-02-30', to: '', what: 'closed', note: '' }] },
    { 'calendar.0.from': 'Write a day of the calendar, such as 2026-12-24', 'calendar.0.to': 'Last day is required' },
  ],
  [
    'delivery',
    { notices: [{ from: '2026-12-24', to: '2026-12-01', text: 'Closed.' }] },
    { 'notices.0.to': 'The last day is before the first' },
  ],
  ['contact', { phone: 'call us' }, { phone: 'Write a phone number, such as 0117 496 0000' }],
])('in the section %s, %j is refused in words at its control', (section, changes, errors) => {
  expect(errorsOf(section, {})).toEqual({});
  expect(errorsOf(section, changes)).toEqual(errors);
});

test('a value is written in the history as people say it', () => {
  const { vatRate, name } = fieldsOf('company');
  const { openingHours } = fieldsOf('contact');
  expect(vatRate && textOfValue(vatRate, 20)).toBe('20 per cent');
  expect(name && textOfValue(name, 'Oak')).toBe('Oak');
  expect(
    openingHours &&
      textOfValue(openingHours, [
        { days: 'Mon', times: '9-5' },
        { days: 'Sun', times: 'Closed' },
      ]),
  ).toBe('Mon: 9-5; Sun: Closed');
});

test('a change of a list names the row and the column that differ', () => {
  const before = { ...RIGHT.delivery, methods: [METHOD, { ...METHOD, name: 'Express', price: 60, cutOffHour: 9 }] };
  const to = (methods: object[]) => changesOf('delivery', before, { ...before, methods });
  const [standard, express] = before.methods;
  expect(
    to([
      { ...standard, price: 69.5 },
      { ...express, name: 'Quick', cutOffHour: 14 },
    ]),
  ).toEqual([
    'Delivery methods, Standard delivery, Price: £49 → £69.50',
    'Delivery methods, Express, Name: Express → Quick',
    'Delivery methods, Express, Order by: 9:00 → 14:00',
  ]);
  expect(to([{ ...express }])).toEqual([
    expect.stringMatching(/^Delivery methods: removed Standard delivery, price £49, order by 14:00, /),
  ]);
  expect(to([...before.methods, { ...METHOD, name: 'By hand' }])).toEqual([expect.stringMatching(/^Delivery methods: added By hand, /)]);
  expect(to(before.methods.toReversed())).toEqual(['Order of delivery methods: Standard delivery, Express → Express, Standard delivery']);
  expect(to(before.methods)).toEqual([]);
  const long = 'o'.repeat(100);
  expect(changesOf('policies', { terms: `${long}a` }, { terms: `${long}b` })).toHaveLength(1);
});

test('the summary of errors names field and row', () => {
  expect(labelOfPath('shop', 'dark')).toEqual(['Main colour']);
  expect(labelOfPath('delivery', 'calendar.1.from')).toEqual(['Calendar', 'days 2', 'First day']);
  expect(labelOfPath('delivery', 'nothing')).toEqual([]);
});

test('a refund policy that names other days than the shop takes returns for is warned of', () => {
  const { refunds } = fieldsOf('policies');
  const warned = (text: string) => refunds && metaOf(refunds).warning?.(text);
  expect(warned('You have 30 days.')).toMatch(/^Your text says 30 days, but the shop takes returns for 14/);
  for (const text of ['', 'You have {returnDays} days; refunds take 10 days.', 'You have 14 days, and 30 days for faulty goods.'])
    expect(warned(text)).toBeUndefined();
});

test('a colour is refused where its contrast is below WCAG AA, with the ratio', () => {
  expect(contrast('#000000', '#ffffff')).toBe(21);
  expect(accentProblem('#e0a060')).toBe(
    'Too light to read: its contrast with the page is 2.1 to 1, and text needs 4.5 to 1. Choose a darker one',
  );
  expect(darkProblem('#767676')).toMatch(/^Too light to read/);
  expect(darkProblem('green')).toBe('Write the colour as # and six digits, such as #23382f');
  expect([accentProblem(DEFAULT_COLOURS.accent), darkProblem(DEFAULT_COLOURS.dark)]).toEqual([undefined, undefined]);
});

test('the palette follows from two colours; the default ones are in the style sheet', () => {
  expect(paletteCss(DEFAULT_COLOURS)).toBe('');
  expect(paletteCss({ accent: '#7a1f5c', dark: '#1b2a49' })).toBe(
    '--color-clay:#7a1f5c;--color-accent:#1b2a49;--color-accent-deep:#131d33;--color-accent-tint:#e8eaed',
  );
});

test.each(['[', '<a', '![', 'a@', '{'])('a text of many “%s” is refused or taken at once', (piece) => {
  const start = performance.now();
  for (const text of [piece.repeat(49_000 / piece.length), piece.repeat(250_000 / piece.length), `${piece}b`.repeat(16_000)])
    textProblem(text, {});
  expect(performance.now() - start).toBeLessThan(500);
});
