/**
 * What the owner sets on `/admin/settings`: a schema for each section, in the order of the screen. The form, the server, the history and the file of
 * `npm run admin -- settings` read it; the `meta` of a field is what the screen shows beside its control.
 */

import { z } from 'zod';
import { pictureId } from '#contract/catalogue/pictures.ts';
import { ROOM_SHAPES, spotsIn } from '#contract/catalogue/rooms.ts';
import { overlapOf, postcodesProblem } from '#contract/delivery/areas.ts';
import { CALENDAR } from '#contract/delivery/calendar.ts';
import { CARRIER_LENGTH } from '#contract/delivery/carriers.ts';
import { namesOf, TAKES } from '#contract/delivery/delivery-settings.ts';
import { methodIdOf } from '#contract/delivery/methods.ts';
import { HOME_TILES } from '#contract/market/company.ts';
import { grouped } from '#contract/market/money.ts';
import { LENDERS, WALLETS } from '#contract/market/payment-ways.ts';
import { cut } from '#contract/platform/text.ts';
import { RETURN_DAYS } from '#contract/returns/return-days.ts';
import { MAIL_NAMES, MAIL_PARTS, MAILS, type MailName, type MailPart, mailField, placeholdersOf } from './mail-texts.ts';
import { accentProblem, darkProblem } from './palette.ts';
import { type Placeholders, POLICY_PLACEHOLDERS, textProblem } from './placeholders.ts';
import { EVERYTHING, STAFF_EVENTS, STAFF_TIMES } from './staff-events.ts';

const MAX_CHARACTERS = 50_000;

/** What the screen shows of a field. */
export interface FieldMeta {
  label: string;
  hint?: string;
  /** The kind of input that helps to type it. */
  type?: 'email' | 'tel' | 'color' | 'date' | 'markdown';
  /** Shown after a number; `£` is shown before it. */
  unit?: string;
  /** What can be chosen. */
  options?: readonly string[];
  /** What one row of a list is called. */
  row?: string;
  /** The list may be long: it can be pasted from a spreadsheet. */
  isTable?: true;
  /** Fields of one group are shown together, one group at a time. */
  group?: string;
  /** The text that is used while the field is empty. */
  fallback?: string;
  /** A warning about a text that may be saved all the same. */
  warning?: (value: string) => string | undefined;
  /** The placeholders that the text may contain, in braces, and what replaces each of them. */
  placeholders?: Placeholders;
  /** The field is the URL of an uploaded picture, or empty. */
  picture?: PictureRule;
  /** The column says where pieces stand in the picture of its row (`contract/catalogue/rooms`). */
  hasSpots?: true;
}

/** What a picture must be. */
export interface PictureRule {
  leastWidth: number;
  leastHeight: number;
  isSquare?: boolean;
  /** A logo or favicon, which is also made as a PNG. */
  isMark?: boolean;
}

type Problem = (value: string) => string | false | undefined;

interface LineMeta extends FieldMeta {
  max?: number;
  /** What is wrong with a value that is not empty. */
  problem?: Problem;
}

/** What is too long is not looked at further. */
const tooLong = (label: string, most: number) => ({ error: `${label} can have at most ${grouped(most)} characters`, abort: true });

const optionalLine = ({ max = 200, problem, ...meta }: LineMeta) =>
  z
    .string(`${meta.label} is required`)
    .trim()
    .max(max, tooLong(meta.label, max))
    .refine((value) => !/\p{Cc}|\p{Zl}|\p{Zp}/u.test(value), `${meta.label} must be one line`)
    .superRefine((value, { addIssue }) => {
      const message = value !== '' && problem?.(value);
      if (message) addIssue({ code: 'custom', message });
    })
    .meta({ ...meta });

const line = (meta: LineMeta) =>
  optionalLine(meta)
    .min(1, `${meta.label} is required`)
    .meta({ ...meta });

type NumberMeta = FieldMeta & { unit: string; step?: number };

/** Forms send numbers as text. What is not written in digits stays as it is, and is refused. */
const numberOf = (value: unknown) => (typeof value === 'string' && /^\s*\d+(\.\d+)?\s*$/.test(value) ? Number(value) : value);

function anyNumber(least: number, most: number, { label, unit, step = 1 }: NumberMeta) {
  const message = `${label} must be a number from ${grouped(least)} to ${grouped(most)} (${unit})${step < 1 ? ', with at most 2 decimals' : ''}`;
  return z.number(message).min(least, message).max(most, message).multipleOf(step, message);
}

/** Adds the bounds to the field's hint. */
const bounded = (least: number, most: number, meta: FieldMeta): FieldMeta => ({
  ...meta,
  hint: [meta.hint, `${grouped(least)} to ${grouped(most)}.`].filter(Boolean).join(' '),
});

const number = (least: number, most: number, { step = 1, ...meta }: NumberMeta) =>
  z.preprocess(numberOf, anyNumber(least, most, { ...meta, step })).meta({ ...bounded(least, most, meta) });

/** Null where nothing is typed. */
const optionalNumber = (least: number, most: number, { step = 1, ...meta }: NumberMeta) =>
  z
    .preprocess(
      (value) => (value === '' || value === undefined ? null : numberOf(value)),
      anyNumber(least, most, { ...meta, step }).nullable(),
    )
    .meta({ ...bounded(least, most, meta) });

const isDay = (value: string) => /^\d{4}-\d\d-\d\d$/.test(value) && new Date(`${value}T00:00:00Z`).toJSON()?.startsWith(value);

const day = (meta: FieldMeta) =>
  line({ ...meta, type: 'date', problem: (value) => !isDay(value) && 'Write a day of the calendar, such as 2026-12-24' });

/** A list of rows. No two have the same text in the column `key`. */
const rows = <C extends z.ZodRawShape>(most: number, columns: C, meta: FieldMeta & { row: string }, key?: string) =>
  z
    .array(z.object(columns))
    .max(most, `${meta.label} can have at most ${most} rows`)
    .superRefine((list, { addIssue }) => {
      const texts = key ? list.map((row) => String((row as Record<string, unknown>)[key]).toLowerCase()) : [];
      for (const [index, text] of texts.entries())
        if (texts.indexOf(text) < index)
          addIssue({ code: 'custom', path: [index, key ?? ''], message: `Another ${meta.row} has this name` });
    })
    .meta({ ...meta });

const choice = <O extends readonly [string, ...string[]]>(options: O, meta: FieldMeta) =>
  z.enum(options, `${meta.label} must be one of ${options.join(', ')}`).meta({ ...meta, options });

/** A choice that was added later: settings that were stored without it have the first option. */
const laterChoice = <O extends readonly [string, ...string[]]>(options: O, meta: FieldMeta) =>
  choice(options, meta)
    .default(options[0])
    .meta({ ...meta, options });

const picture = (meta: FieldMeta & { picture: PictureRule }) =>
  z
    .string(`${meta.label} is required`)
    .refine((value) => value === '' || pictureId(value) !== undefined, `${meta.label} must be a picture that was uploaded here`)
    .meta({ ...meta });

/** The owner's subject of a mail; empty for the default one. */
const subjectLine = (meta: FieldMeta & { placeholders: Placeholders }) =>
  optionalLine({ ...meta, max: 150, problem: (value) => textProblem(value, meta.placeholders) });

/** The owner's text in Markdown; empty for the default text. */
const text = (meta: FieldMeta & { placeholders: Placeholders }) =>
  z
    .string(`${meta.label} is required`)
    .trim()
    .max(MAX_CHARACTERS, tooLong(meta.label, MAX_CHARACTERS))
    .superRefine((value, { addIssue }) => {
      const message = textProblem(value, meta.placeholders);
      if (message) addIssue({ code: 'custom', message });
    })
    .meta({ type: 'markdown', ...meta });

const emailProblem: Problem = (value) =>
  !/^[^\s@<>"]+@[^\s@<>"]+\.[^\s@<>"]+$/.test(value) && 'Write an email address, such as hello@example.com';
const linkProblem: Problem = (value) =>
  !/^https:\/\/[^\s/?#]+\.[^\s/?#]+([/?#]\S*)?$/.test(value) && 'Write the whole address, such as https://www.example.com/yourshop';

const shop = z.object({
  name: line({ label: 'Trading name', max: 60, hint: 'In the header, in page titles and as the sender of emails.' }),
  strapline: optionalLine({ label: 'Strapline', max: 120, hint: 'Below the name at the foot of every page.' }),
  logo: picture({
    label: 'Logo',
    picture: { leastWidth: 80, leastHeight: 40, isMark: true },
    hint: 'In the header, in emails, on invoices, packing slips and the payment page. Without one, they show the trading name. A PNG or WebP with a transparent background looks best.',
  }),
  favicon: picture({
    label: 'Favicon',
    picture: { leastWidth: 48, leastHeight: 48, isSquare: true, isMark: true },
    hint: 'The small picture in a browser’s tab. Square, at least 48 × 48 pixels.',
  }),
  dark: line({ label: 'Main colour', type: 'color', problem: darkProblem, hint: 'Buttons and the foot of the page.' }),
  accent: line({
    label: 'Accent colour',
    type: 'color',
    problem: accentProblem,
    hint: 'The “&” of the name, notes of low stock and the number in the cart.',
  }),
  social: rows(
    8,
    { name: line({ label: 'Name', max: 40 }), address: line({ label: 'Address', max: 300, problem: linkProblem }) },
    { label: 'Social links', row: 'link' },
  ),
});

const company = z.object({
  name: optionalLine({ label: 'Registered name', hint: 'Such as Oakwell Interiors Ltd.' }),
  number: optionalLine({
    label: 'Company number',
    problem: (value) => !/^[A-Z\d]{2}\d{6}$/i.test(value) && 'A company number has 8 characters, such as 01234567',
    hint: 'At Companies House.',
  }),
  office: optionalLine({ label: 'Registered address', hint: 'In one line.' }),
  vatNumber: optionalLine({
    label: 'VAT number',
    problem: (value) => !/^GB(\d{9}|\d{12})$/i.test(value.replace(/\s/g, '')) && 'A VAT number is GB with 9 or 12 digits',
    hint: 'Leave it empty if you are not registered: then no page, email or invoice says that prices include VAT.',
  }),
  vatRate: number(0, 100, {
    label: 'VAT rate',
    unit: 'per cent',
    step: 0.01,
    hint: 'Standard: included in every price, unless its product has another class. Orders keep the rates of their day.',
  }),
  reducedVatRate: number(0, 100, {
    label: 'Reduced VAT rate',
    unit: 'per cent',
    step: 0.01,
    hint: 'Included in the prices of products of the class “reduced”. Products of the class “zero” have none.',
  }),
});

/** When a new review is shown. */
export const REVIEWS_SHOWN = { atOnce: 'At once', afterLook: 'After a look' } as const;

const reviews = z.object({
  shown: z.enum(REVIEWS_SHOWN).meta({
    label: 'New reviews are shown',
    options: Object.values(REVIEWS_SHOWN),
    hint: 'A review with a link or an address always waits for you to approve it. All new reviews are under Reviews in the menu.',
  }),
  ratingSource: line({
    label: 'Stars without reviews',
    max: 40,
    hint: 'Shown beside the stars of a product that no customer has reviewed, to say whose rating it is.',
  }),
});

/** How customers return small pieces. */
export const RETURNS = { posted: 'Customers post them', collected: 'We collect them' } as const;

const contact = z.object({
  email: optionalLine({ label: 'Email', type: 'email', problem: emailProblem }),
  phone: optionalLine({
    label: 'Phone',
    type: 'tel',
    problem: (value) => !/^\+?[\d\s()-]{7,30}$/.test(value) && 'Write a phone number, such as 0117 496 0000',
  }),
  hours: optionalLine({ label: 'When the phone is answered', max: 120 }),
  showroom: optionalLine({ label: 'Showroom', hint: 'Its address in one line. Leave it empty if you have none.' }),
  openingHours: rows(
    20,
    { days: line({ label: 'Days', max: 60 }), times: line({ label: 'Times', max: 60 }) },
    { label: 'Opening hours', row: 'row', hint: 'Of the showroom. Add exceptions as rows, such as “25 and 26 December”: “Closed”.' },
  ),
  returns: z.enum(RETURNS).meta({
    label: 'Small pieces that customers return',
    options: Object.values(RETURNS),
    hint: 'Large pieces are always collected. Returns already approved come back as you told the customer.',
  }),
  returnsAddress: optionalLine({
    label: 'Returns address',
    hint: 'Where customers post what they return. If it is empty, the registered address is used.',
  }),
  mailFrom: line({
    label: 'Sender of emails',
    type: 'email',
    problem: emailProblem,
    hint: 'Your mail server must be allowed to send from this address. Emails show it beside the trading name.',
  }),
});

const templateProblem: Problem = (value) => {
  if (value.split('{number}').length !== 2) return 'Write {number} once, where the tracking number belongs';
  return linkProblem(value.replace('{number}', '1'));
};

const carriers = z.object({
  list: rows(
    40,
    {
      name: line({ label: 'Name', max: CARRIER_LENGTH }),
      link: optionalLine({ label: 'Tracking link', max: 300, problem: templateProblem }),
    },
    {
      label: 'Carriers',
      row: 'carrier',
      hint: 'Write {number} where the tracking number belongs, such as https://www.dpd.co.uk/apps/tracking/?reference={number}. Leave the link empty if the carrier has no such page; you can give a parcel a link of its own.',
    },
    'name',
  ),
});
type Refuse = (path: (string | number)[], message: string) => void;

/** Refuses periods whose last day is before their first. */
function checkPeriods(name: string, periods: readonly { from: string; to: string }[], refuse: Refuse): void {
  for (const [index, { from, to }] of periods.entries()) if (to < from) refuse([name, index, 'to'], 'The last day is before the first');
}

/** Refuses areas that share a postcode, exclude an unknown method, or have neither a method for every piece nor a sentence that refuses delivery. */
function checkAreas(
  areas: readonly { postcodes: string; without: string; refusal: string }[],
  methods: readonly { name: string; takes: string }[],
  refuse: Refuse,
): void {
  const ids = methods.map(({ name }) => methodIdOf(name));
  for (const [index, { postcodes, without, refusal }] of areas.entries()) {
    for (const [otherIndex, other] of areas.slice(0, index).entries()) {
      const shared = overlapOf(postcodes, other.postcodes);
      if (shared) refuse(['areas', index, 'postcodes'], `${shared} is also in area ${otherIndex + 1}`);
    }
    const unknown = namesOf(without).find((name) => !ids.includes(methodIdOf(name)));
    if (unknown) refuse(['areas', index, 'without'], `No method is called “${unknown}”`);
    const left = methods.filter(({ name }) => !namesOf(without).some((other) => methodIdOf(other) === methodIdOf(name)));
    if (left.length === 0 && !refusal)
      refuse(['areas', index, 'without'], 'No method is left: keep one, or say that you do not deliver there');
    else if (!refusal && left.every(({ takes }) => takes !== EVERY_PIECE))
      refuse(['areas', index, 'without'], `No method that takes ${EVERY_PIECE} is left: keep one, or say that you do not deliver there`);
  }
}

const [EVERY_PIECE, ...LIGHTER] = Object.keys(TAKES) as [keyof typeof TAKES, ...(keyof typeof TAKES)[]];

const delivery = z
  .object({
    methods: rows(
      6,
      {
        name: line({ label: 'Name', max: 40, hint: 'Such as Standard delivery.' }),
        price: number(0, 10_000, { label: 'Price', unit: '£', step: 0.01 }),
        freeFrom: optionalNumber(0, 1_000_000, { label: 'Free from', unit: '£', step: 0.01, hint: 'The sum of the products.' }),
        cutOffHour: number(0, 23, {
          label: 'Order by',
          unit: 'hour',
          hint: 'An order placed before this hour counts from the same day: 14 is 2pm.',
        }),
        minDays: number(0, 365, { label: 'At least', unit: 'days' }),
        maxDays: number(0, 365, {
          label: 'At most',
          unit: 'days',
          hint: 'After the 1-2 working days in which an order is made ready.',
        }),
        counted: choice(['working days', 'all days'], { label: 'Counted in' }),
        daysToChoose: optionalNumber(1, 60, {
          label: 'Customers choose from',
          unit: 'days',
          hint: 'How many working days customers can choose from for their delivery. The first is the last day that you promise: 10 offers that day and the nine working days after it. Leave empty for no choice.',
        }),
        takes: laterChoice([EVERY_PIECE, ...LIGHTER], {
          label: 'Takes',
          hint: 'By the delivery class of each product. An order goes by a method that takes all of its pieces.',
        }),
      },
      {
        label: 'Delivery methods',
        row: 'method',
        hint: 'The first that takes all pieces of an order is chosen for a customer who chooses nothing.',
      },
    ),
    areas: rows(
      60,
      {
        postcodes: line({ label: 'Postcodes', max: 600, problem: postcodesProblem, hint: 'Such as IV, HS, KW15-17, BT, IM.' }),
        surcharge: number(0, 10_000, { label: 'Surcharge', unit: '£', step: 0.01 }),
        extraDays: number(0, 60, { label: 'Longer by', unit: 'days' }),
        without: optionalLine({ label: 'Not by', max: 200, hint: 'Methods that do not go there, separated by commas.' }),
        refusal: optionalLine({
          label: 'We do not deliver there',
          max: 200,
          hint: 'What you tell the customer, if you deliver nothing there.',
        }),
      },
      {
        label: 'Areas',
        row: 'area',
        isTable: true,
        hint: 'Where delivery costs more, takes longer or is not possible. All other postcodes have the methods as above.',
      },
    ),
    calendar: rows(
      100,
      {
        from: day({ label: 'First day' }),
        to: day({ label: 'Last day' }),
        what: choice(CALENDAR, { label: 'What is different' }),
        note: optionalLine({ label: 'Note', max: 80, hint: 'Only you see it.' }),
      },
      {
        label: 'Calendar',
        row: 'days',
        hint: 'The bank holidays of the three nations are known already. Add the days on which you are closed, and those on which you work although they are bank holidays.',
      },
    ),
    notices: rows(
      20,
      {
        from: day({ label: 'First day' }),
        to: day({ label: 'Last day' }),
        text: line({ label: 'Words', max: 200 }),
      },
      {
        label: 'Notices',
        row: 'notice',
        hint: 'At the top of every page on these days, such as “We are closed from 24 December to 2 January.”',
      },
    ),
  })
  .superRefine(({ methods, areas, calendar, notices }, { addIssue }) => {
    const refuse: Refuse = (path, message) => addIssue({ code: 'custom', path, message });
    if (methods.length === 0) refuse(['methods'], 'Nobody could be sent anything: add a method');
    else if (methods.every(({ takes }) => takes !== EVERY_PIECE)) refuse(['methods', 0, 'takes'], `One method must take ${EVERY_PIECE}`);
    else checkAreas(areas, methods, refuse);
    for (const [index, { name, minDays, maxDays }] of methods.entries()) {
      if (maxDays < minDays) refuse(['methods', index, 'maxDays'], 'This is less than “At least”');
      if (methodIdOf(name) === '') refuse(['methods', index, 'name'], 'Name needs a letter or a digit');
      if (methods.findIndex((other) => methodIdOf(other.name) === methodIdOf(name)) < index)
        refuse(['methods', index, 'name'], 'Another method has this name');
    }
    checkPeriods('calendar', calendar, refuse);
    checkPeriods('notices', notices, refuse);
  });

const wallets = rows(
  WALLETS.length,
  { wallet: choice(WALLETS, { label: 'Wallet' }) },
  {
    label: 'Wallets',
    row: 'wallet',
    hint: 'Add the ones that are switched on at your payment provider. The product’s page, the cart and the foot of each page name them.',
  },
  'wallet',
);

const instalments = rows(
  LENDERS.length,
  {
    lender: choice(LENDERS, { label: 'Lender' }),
    from: number(1, 10_000, { label: 'From', unit: '£' }),
    to: number(1, 10_000, { label: 'Up to', unit: '£' }),
    words: line({
      label: 'Lender’s sentence',
      max: 300,
      hint: 'The sentence about credit that the lender has approved for your shop. It stands below the amount.',
    }),
  },
  {
    label: 'Instalments',
    row: 'lender',
    hint: 'Klarna is shown as 3 instalments, Clearpay as 4. In the UK these are financial promotions: add a lender only once it has approved how your shop names it.',
  },
  'lender',
).superRefine((all, { addIssue }) => {
  for (const [index, { from, to }] of all.entries())
    if (to < from) addIssue({ code: 'custom', path: [index, 'to'], message: `Up to must be at least £${grouped(from)}` });
});

const staff = z.object({
  notices: rows(
    100,
    {
      event: choice([EVERYTHING, ...Object.values(STAFF_EVENTS)], { label: 'Event' }),
      address: line({ label: 'Email', type: 'email', max: 254, problem: emailProblem }),
      when: choice(STAFF_TIMES, { label: 'When' }),
    },
    {
      label: 'Notices',
      row: 'notice',
      hint: 'Who gets an email about what. A row for a single event overrides the row “Everything” of the same address.',
    },
  ).superRefine((all, { addIssue }) => {
    for (const [index, { event, address }] of all.entries())
      if (all.findIndex((other) => other.event === event && other.address.toLowerCase() === address.toLowerCase()) < index)
        addIssue({ code: 'custom', path: [index, 'address'], message: 'This address already has a row for this event' });
  }),
  dailyHour: number(0, 23, { label: 'Daily emails at', unit: 'hour', hint: 'By the shop’s clock: 8 is 8am.' }),
  lowStock: number(0, 1_000, {
    label: 'Low stock',
    unit: 'pieces',
    hint: 'A product counts as running low at this many or fewer, unless it has a number of its own. You are told when a sale leaves that many.',
  }),
  logDays: number(90, 3_650, {
    label: 'Keep the log for',
    unit: 'days',
    hint: 'Who did what in the back office, from which address. Older entries are deleted each night.',
  }),
});

const policy = (label: string, more: Partial<FieldMeta> = {}) => text({ label, placeholders: POLICY_PLACEHOLDERS, ...more });

/** Warns of a refund policy that names another number of days than the shop takes returns for. */
function returnDaysWarning(text: string): string | undefined {
  const days = [...text.matchAll(/(\d+)[ -](?:calendar )?days?\b/gi)].map(([, count]) => Number(count));
  if (days.length === 0 || days.includes(RETURN_DAYS.ask) || text.includes('{returnDays}')) return undefined;
  return `Your text says ${days[0]} days, but the shop takes returns for ${RETURN_DAYS.ask}: its pages, emails and the return button say so. Write {returnDays}.`;
}

const policies = z.object({
  terms: policy('Terms of service'),
  privacy: policy('Privacy policy'),
  shipping: policy('Shipping policy'),
  refunds: policy('Refund policy', {
    hint: `The shop takes returns for ${RETURN_DAYS.ask} days after delivery, as the law asks: its pages and emails say so, and then the return button goes. {returnDays} is that number.`,
    warning: returnDaysWarning,
  }),
});

/** The picture of a room or a category, which is shown as wide as the page. */
const SCENE = { leastWidth: 1200, leastHeight: 480 };

const catalogue = z.object({
  categories: rows(
    60,
    {
      name: line({ label: 'Category', max: 120, hint: 'Spelled as in your products.' }),
      text: optionalLine({ label: 'Text', max: 400, hint: 'One or two sentences above its products.' }),
      picture: picture({
        label: 'Picture',
        picture: SCENE,
        hint: 'At least 1,200 × 480 pixels. A strip of it is shown, twice as wide as high.',
      }),
    },
    {
      label: 'Categories',
      row: 'category',
      hint: 'What is shown at the top of a category’s list. Its subcategories are added automatically.',
    },
    'name',
  ),
  rooms: rows(
    24,
    {
      picture: picture({ label: 'Picture', picture: SCENE, hint: 'At least 1,200 × 480 pixels.' }),
      shape: choice(ROOM_SHAPES, { label: 'Shape', hint: 'Wide is 3:2, tall is 4:5. Other pictures are cropped to the middle.' }),
      words: line({
        label: 'What it shows',
        max: 200,
        hint: 'For people who cannot see it, such as “A green sofa in front of sage panelling”.',
      }),
      pieces: line({
        label: 'Pieces',
        max: 1_500,
        hasSpots: true,
        problem: (value) =>
          !spotsIn(value) && 'Write each piece with its place, such as Oslo Sofa (55, 66), Orla Round Coffee Table (40, 78)',
        hint: 'Type the name of a product, then click on it in the picture.',
      }),
    },
    {
      label: 'Rooms',
      row: 'room',
      hint: 'Rooms to shop, on the home page, with their categories and with their products. A piece that you do not sell is left out.',
    },
  ),
});

const tile = (label: string) =>
  picture({ label, picture: { leastWidth: 640, leastHeight: 640 }, hint: 'At least 640 × 640 pixels, cropped to 6:7.' });

const home = z
  .object({
    hero: picture({
      label: 'Large picture',
      picture: { leastWidth: 1200, leastHeight: 750 },
      hint: 'At the top of the home page. At least 1,200 × 750 pixels. Phones show the middle, cropped to a square.',
    }),
    heroText: optionalLine({
      label: 'What the large picture shows',
      hint: 'For people who cannot see it, such as “A living room with a green sofa in the sun”.',
    }),
    wardrobe: tile(HOME_TILES.wardrobe),
    sofa: tile(HOME_TILES.sofa),
    chair: tile(HOME_TILES.chair),
    lamp: tile(HOME_TILES.lamp),
    bench: tile(HOME_TILES.bench),
    table: tile(HOME_TILES.table),
  })
  .superRefine(({ hero, heroText }, { addIssue }) => {
    if (hero && !heroText) addIssue({ code: 'custom', path: ['heroText'], message: 'Say what the large picture shows' });
  });

/** The texts of a mail to customers. */
function mailFields(name: MailName): [string, z.ZodType<string>][] {
  const { label: group, between } = MAILS[name];
  const placeholders = placeholdersOf(name);
  const metaOfPart = (part: MailPart, hint: string) => ({
    label: `${group}: ${MAIL_PARTS[part]}`,
    hint,
    group,
    placeholders,
    fallback: MAILS[name][part],
  });
  const betweenHint = `Between your two texts, the email always has: ${between}.`;
  return [
    [mailField(name, 'subject'), subjectLine(metaOfPart('subject', `Empty: “${MAILS[name].subject}”.`))],
    [mailField(name, 'before'), text(metaOfPart('before', `After “Hello”. ${betweenHint}`))],
    [mailField(name, 'after'), text(metaOfPart('after', betweenHint))],
  ];
}

const mails = z.object(Object.fromEntries(MAIL_NAMES.flatMap(mailFields)));

export const SECTIONS = {
  shop: { title: 'The shop', about: 'What customers see on every page and in every email.', isProtected: false, schema: shop },
  company: {
    title: 'Company and tax',
    about: 'The law requires these on pages, emails and invoices. Invoices already issued keep what they say.',
    isProtected: true,
    schema: company,
  },
  contact: {
    title: 'Contact and showroom',
    about: 'How customers reach you and where they find you. Empty fields are not shown.',
    isProtected: false,
    schema: contact,
  },
  delivery: {
    title: 'Delivery',
    about: 'How orders are sent, what it costs and when they arrive. Orders already placed keep what they were promised.',
    isProtected: false,
    schema: delivery,
  },
  carriers: {
    title: 'Carriers',
    about:
      'Who delivers your parcels. You choose from this list when you dispatch; parcels that have left keep their carrier and its link.',
    isProtected: false,
    schema: carriers,
  },
  payment: {
    title: 'Payment',
    about: 'Cards and cash on delivery are always offered. What you add here is named in the shop and offered on the payment page.',
    isProtected: true,
    schema: z.object({ wallets, instalments }),
  },
  home: {
    title: 'Home page',
    about: 'Your own pictures. Where you choose none, the picture that comes with the shop is shown.',
    isProtected: false,
    schema: home,
  },
  catalogue: {
    title: 'Categories and rooms',
    about: 'What shoppers see around your products: the top of each category, and rooms to shop.',
    isProtected: false,
    schema: catalogue,
  },
  reviews: {
    title: 'Reviews and ratings',
    about: 'When customers’ reviews are shown, and whose stars stand where there are none.',
    isProtected: false,
    schema: reviews,
  },
  staff: {
    title: 'Staff notices',
    about:
      'Emails to the people who run the shop, within a minute or once a day. Where a lot happens at once, an address gets 12 emails an hour and then one with all the rest.',
    isProtected: false,
    schema: staff,
  },
  mails: {
    title: 'Emails',
    about:
      'Your words in the emails to customers. An empty field has the default text. What the order and the law require stays in every email.',
    isProtected: false,
    schema: mails,
  },
  policies: {
    title: 'Policies',
    about:
      'An empty field is the default text, which follows your settings and the law as we know it. An order keeps a link to the policies of its day.',
    isProtected: false,
    schema: policies,
  },
} as const;

export type SectionName = keyof typeof SECTIONS;
export type ShopSettings = { [N in SectionName]: z.infer<(typeof SECTIONS)[N]['schema']> };
/** The fields of a section by name. */
export type SectionFields = Readonly<Record<string, z.ZodType>>;

export const SECTION_NAMES = Object.keys(SECTIONS) as [SectionName, ...SectionName[]];
export const fieldsOf = (section: SectionName): SectionFields => SECTIONS[section].schema.shape;
export const metaOf = (field: z.ZodType) => field.meta() as unknown as FieldMeta;

const columnsOf = (field: z.ZodType): SectionFields =>
  field instanceof z.ZodArray ? ((field as z.ZodArray<z.ZodObject>).element.shape as SectionFields) : {};

/** The rules of a section's pictures, by field (`logo`) or by list and column (`rooms.picture`). */
export function pictureRulesOf(section: SectionName): Map<string, PictureRule> {
  const fieldsAndColumns = Object.entries(fieldsOf(section)).flatMap(([name, field]) => [
    [name, field] as const,
    ...Object.entries(columnsOf(field)).map(([column, schema]) => [`${name}.${column}`, schema] as const),
  ]);
  return new Map(
    fieldsAndColumns.flatMap(([name, field]) => {
      const { picture } = metaOf(field);
      return picture ? [[name, picture] as const] : [];
    }),
  );
}

/** A picture in the values of a section: `holder[key]` is its URL. */
export interface HeldPicture {
  /** `logo`, or `rooms.2.picture`. */
  path: string;
  rule: PictureRule;
  label: string;
  holder: Record<string, unknown>;
  key: string;
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/** The pictures in values of a section that have not been validated. */
export function picturesIn(section: SectionName, values: Record<string, unknown>): HeldPicture[] {
  const heldBy = (holder: Record<string, unknown>, fields: SectionFields, prefix: string): HeldPicture[] =>
    Object.entries(fields).flatMap(([key, field]) => {
      const { picture: rule, label } = metaOf(field);
      if (rule) return [{ path: prefix + key, rule, label, holder, key }];
      const rows: unknown = holder[key];
      if (!Array.isArray(rows)) return [];
      return rows.flatMap((row, index) => (isObject(row) ? heldBy(row, columnsOf(field), `${prefix}${key}.${index}.`) : []));
    });
  return heldBy(values, fieldsOf(section), '');
}

function cellText(field: z.ZodType, value: unknown): string {
  const { unit = '', picture, type } = metaOf(field);
  if (value === null || value === undefined || value === '') return '';
  if (picture) return `picture ${pictureId(String(value))?.slice(0, 6)}`;
  if (type === 'markdown') return `${cut(String(value), 60)} (${grouped(String(value).length)} characters)`;
  if (unit === '£') return `£${Number.isInteger(Number(value)) ? grouped(Number(value)) : Number(value).toFixed(2)}`;
  return unit === 'hour' ? `${value}:00` : `${value} ${unit}`.trim();
}

type SettingRow = Record<string, unknown>;

/** A row in one line: `Name: address`, or with more than two columns `Name, price £49, order by 14:00`. */
function rowText(columns: SectionFields, row: SettingRow): string {
  const hasLabels = Object.keys(columns).length > 2;
  const cells = Object.entries(columns).map(([name, column], index) => {
    const text = cellText(column, row[name]);
    return text && index > 0 && hasLabels ? `${metaOf(column).label.toLowerCase()} ${text}` : text;
  });
  return cells.filter(Boolean).join(hasLabels ? ', ' : ': ');
}

/** A value as the history of changes writes it. */
export function textOfValue(field: z.ZodType, value: unknown): string {
  if (!(field instanceof z.ZodArray)) return cellText(field, value);
  return (value as SettingRow[]).map((row) => rowText(columnsOf(field), row)).join('; ');
}

/** A difference between two versions of a section. `from` is empty for what was added, `to` for what was removed. */
export interface Difference {
  /** `phone`, `methods`, or `methods.1.price` of the later version. */
  path: string;
  label: string;
  from: string;
  to: string;
  /** A whole row that only one of the versions has. */
  isRow?: true;
}

const isSame = (one: unknown, other: unknown) => (one ?? '') === (other ?? '');

/**
 * Pairs each row of `after` with its earlier version in `before`: an identical row, else one with the same first column, else the next unpaired one. Rows
 * without a pair were added or removed.
 */
function pairsOf(columns: SectionFields, before: SettingRow[], after: SettingRow[]): [SettingRow | undefined, SettingRow | undefined][] {
  const [first = ''] = Object.keys(columns);
  const earlier = new Map<SettingRow, SettingRow>();
  const unpaired = () => before.filter((row) => ![...earlier.values()].includes(row));
  for (const key of [(row: SettingRow) => rowText(columns, row), (row: SettingRow) => String(row[first] ?? '')])
    for (const row of after.filter((one) => !earlier.has(one))) {
      const same = unpaired().find((one) => key(one) === key(row));
      if (same) earlier.set(row, same);
    }
  for (const row of after.filter((one) => !earlier.has(one))) {
    const [next] = unpaired();
    if (next) earlier.set(row, next);
  }
  return [
    ...after.map((row) => [earlier.get(row), row] as [SettingRow | undefined, SettingRow]),
    ...unpaired().map((row) => [row, undefined] as [SettingRow, undefined]),
  ];
}

function rowDifferences(name: string, field: z.ZodType, before: SettingRow[], after: SettingRow[]): Difference[] {
  const columns = columnsOf(field);
  const { label } = metaOf(field);
  const [[first, firstColumn] = ['', field]] = Object.entries(columns);
  const found = pairsOf(columns, before, after).flatMap(([from, to], index): Difference[] => {
    if (!from || !to) {
      const texts = { from: from ? rowText(columns, from) : '', to: to ? rowText(columns, to) : '' };
      return [{ path: to ? `${name}.${index}.${first}` : name, label, ...texts, isRow: true }];
    }
    return Object.entries(columns).flatMap(([column, schema]) => {
      if (isSame(from[column], to[column])) return [];
      const texts = { from: cellText(schema, from[column]), to: cellText(schema, to[column]) };
      return [
        {
          path: `${name}.${index}.${column}`,
          label: [label, cellText(firstColumn, from[first]), metaOf(schema).label].filter(Boolean).join(', '),
          ...texts,
        },
      ];
    });
  });
  if (found.length > 0) return found;
  const rowNames = (rows: SettingRow[]) => rows.map((row) => cellText(firstColumn, row[first])).join(', ');
  const [from, to] = [rowNames(before), rowNames(after)];
  return from === to ? [] : [{ path: name, label: `Order of ${label.toLowerCase()}`, from, to }];
}

/** What differs between two versions of a section, by field, and by row and column. */
export function differencesOf(section: SectionName, before: SettingRow, after: SettingRow): Difference[] {
  return Object.entries(fieldsOf(section)).flatMap(([name, field]) => {
    if (field instanceof z.ZodArray)
      return rowDifferences(name, field, (before[name] ?? []) as SettingRow[], (after[name] ?? []) as SettingRow[]);
    if (isSame(before[name], after[name])) return [];
    return [{ path: name, label: metaOf(field).label, from: textOfValue(field, before[name]), to: textOfValue(field, after[name]) }];
  });
}

/** What has changed between two versions of a section, each as `Phone: 0117… → 0118…`. */
export const changesOf = (section: SectionName, before: SettingRow, after: SettingRow): string[] =>
  differencesOf(section, before, after).map(({ label, from, to, isRow }) => {
    if (isRow) return to ? `${label}: added ${to}` : `${label}: removed ${from}`;
    return `${label}: ${from || 'nothing'} → ${to || 'nothing'}`;
  });

/** The label of a control, in parts: `Main colour`, or `Calendar`, `days 2` and `First day` for a cell of a list. */
export function labelOfPath(section: SectionName, path: string): string[] {
  const [name = '', index, column = ''] = path.split('.');
  const field = fieldsOf(section)[name];
  if (!field) return [];
  const { label, row = 'row' } = metaOf(field);
  const cell = columnsOf(field)[column];
  const labels = [label];
  if (index !== undefined) labels.push(`${row} ${Number(index) + 1}`);
  if (cell) labels.push(metaOf(cell).label);
  return labels;
}
