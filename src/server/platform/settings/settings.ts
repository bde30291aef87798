import { z } from 'zod';
import { MARKETS, type Market } from '#contract/market/market.ts';

type Read<T> = z.ZodType<T, string>;

const TEXT: Read<string> = z.string();
const OPTIONAL = z.string().transform((value) => value || undefined);
/** 1 for yes. */
const SWITCH = z.string().transform((value) => value === '1');

const whole = (min: number, max: number) =>
  z
    .string()
    .transform(Number)
    .refine((value) => Number.isInteger(value) && value >= min && value <= max, `must be a whole number from ${min} to ${max}`);

const oneOf = <T extends string>(...values: T[]) => z.enum(values, `must be one of ${values.join(', ')}`);

/** A URL without a slash at its end. */
const ADDRESS = z
  .string()
  .refine((value) => !value || URL.canParse(value), 'must be a URL')
  .transform((value) => value.replace(/\/$/, '') || undefined);

const PICTURES_ADDRESS = ADDRESS.refine(
  (value) => !value || /^https?:\/\/[^\s$?#;,'"]+$/.test(value),
  'must begin with http:// or https://, and have no ? or #',
);

const LIST = z.string().transform((value) => partsOf(value, ','));
const ADDRESSES = LIST.refine((values) => values.every((value) => URL.canParse(value)), 'must be URLs, separated by commas');

/** One or several keys, separated by commas. A single key may contain a comma. */
const KEYS = z
  .string()
  .refine((value) => !value || value.length >= 32, 'must have 32 characters or more')
  .transform((value) => {
    const keys = partsOf(value, ',');
    return keys.every((key) => key.length >= 32) ? keys : [value];
  });

const MARKET = oneOf(...(Object.keys(MARKETS) as (keyof typeof MARKETS)[])).transform((name): Market => MARKETS[name]);

const VAT = z
  .string()
  .transform((value) => value.replace(/\s/g, '').toUpperCase())
  .refine((value) => !value || /^GB(\d{9}|\d{12})$/.test(value), 'must be GB with 9 or 12 digits');

/** In hundredths of a per cent. */
const PER_CENT = z
  .string()
  .regex(/^(\d{1,2}(\.\d{1,2})?|100)$/, 'must be a per cent, such as 20 or 17.5')
  .transform((value) => Math.round(Number(value) * 100));

/** Headers as OpenTelemetry's settings write them: `name=value`, separated by commas, values escaped as in URLs. */
const HEADERS = LIST.transform((values, context): Record<string, string> => {
  try {
    const pairs = values.map((value) => value.split(/=(.*)/, 2).map((part) => decodeURIComponent(part)) as [name: string, value: string]);
    // Throws for a header without a value, and for what no header may hold, such as a line break.
    new Headers(pairs);
    return Object.fromEntries(pairs);
  } catch {
    context.addIssue('must be name=value, separated by commas, with values escaped as in URLs');
    return z.NEVER;
  }
});

/** `Name=address, Name=address`, or with other signs between them. */
const pairs = (betweenPairs: string, withinPair: RegExp, example: string) =>
  z
    .string()
    .transform((value) =>
      partsOf(value, betweenPairs).map((pair): [string, string] => {
        const [name = ''] = pair.split(withinPair, 1);
        return [name.trim(), pair.slice(name.length).replace(withinPair, '').trim()];
      }),
    )
    .refine((values) => values.every(([name, text]) => name && text), `must look like ${example}`);

const partsOf = (value: string, separator: string): string[] =>
  value
    .split(separator)
    .map((part) => part.trim())
    .filter(Boolean);

/** A setting: its purpose, its value when unset or empty, and how it is read. */
const setting = <T = string>(purpose: string, fallback = '', read = TEXT as unknown as Read<T>) =>
  z
    .string()
    .default('')
    .transform((text) => text.trim() || fallback)
    .pipe(read)
    .meta({ purpose, fallback });

/** A setting that may be set to nothing: it falls back only if it is unset. */
const clearable = <T = string>(purpose: string, fallback: string, read = TEXT as unknown as Read<T>) =>
  z
    .string()
    .default(fallback)
    .transform((text) => text.trim())
    .pipe(read)
    .meta({ purpose, fallback });

/** A detail of the company, which may be set to nothing. Only a shop with the demo's name falls back to the demo's. */
const companyDetail = <T = string>(purpose: string, fallback: string, read?: Read<T>) => {
  const value = clearable(purpose, fallback, read);
  return value.meta({ ...value.meta(), isCompanyDetail: true });
};

const HOURS = 'Monday to Friday: 9:30 to 18:00; Saturday: 10:00 to 17:00; Sunday: 11:00 to 16:00';
const LINKS = 'Instagram=https://www.instagram.com/hearthandoak.example,Facebook=https://www.facebook.com/hearthandoak.example';

/** Every environment variable that the shop reads; `.env.example` is made from it. */
const VARIABLES = z.object({
  PORT: setting('port to serve on', '3000', whole(0, 65_535)),
  HOST: setting('address to serve on', '127.0.0.1'),
  PUBLIC_URL: setting('the address that visitors use; unset: http://HOST:PORT', '', ADDRESS),
  SHOP_DATA_DIR: setting('embedded database, pictures, mail', '.data'),
  DATABASE_URL: setting('PostgreSQL 15 or later; unset: an embedded PostgreSQL is started', '', ADDRESS),
  DATABASE_DIRECT_URL: setting(
    'PostgreSQL itself, where DATABASE_URL is a pooler in transaction mode (PgBouncer): for migrations, notices, jobs and commands, which need connections of their own',
    '',
    ADDRESS,
  ),
  BACKUP_WAL: setting(
    'archive of the embedded database, for restoring any moment: its changes every two seconds, its files once a day; a folder on another disk, or s3:prefix in the bucket of S3_BUCKET; unset: none',
    '',
    OPTIONAL,
  ),
  KEEP_BACKUP_DAYS: setting('days that BACKUP_WAL goes back', '14', whole(1, 3_650)),
  DATABASE_REPLICA_URL: setting('replicas that take catalogue reads, separated by commas', '', ADDRESSES),
  DATABASE_POOL: setting('connections of one process besides those for the catalogue, at least 5', '10', whole(5, 1_000)),
  SEARCHES_AT_ONCE: setting(
    'uncached lists and searches that one process renders at once; it holds twice as many connections for the catalogue',
    '2',
    whole(1, 100),
  ),
  SEARCHES_WAITING: setting(
    'how many more may queue for that, networks taking turns; beyond that the answer is 503',
    '40',
    whole(0, 100_000),
  ),
  PAGES_AT_ONCE: setting('other uncached pages that one process renders at once', '4', whole(1, 100)),
  PAGES_WAITING: setting(
    'how many more may queue for that, networks taking turns; beyond that the answer is 503',
    '200',
    whole(0, 100_000),
  ),
  PAGE_CACHE_MB: setting('memory for cached pages in each process; 0 renders every page afresh', '64', whole(0, 4_096)),
  FRONT_CACHE_SECONDS: setting(
    'seconds for which a cache in front of the shop (a CDN, Varnish) may keep pages, catalogue JSON and pictures; without PURGE_URL pages are stale for that long after a change; 0: it asks the shop each time',
    '0',
    whole(0, 31_536_000),
  ),
  PURGE_URL: setting('the purge address of that cache: gets a POST with the keys in the header Surrogate-Key', '', ADDRESS),
  PURGE_HEADERS: setting('further headers of a purge, such as Fastly-Key=…, separated by commas', '', HEADERS),
  SEED_DEMO: setting('1: loads the demo catalogue and its two accounts into a DATABASE_URL too', '', SWITCH),
  SHOP_DEMO: setting(
    '0: an embedded database starts without the demo catalogue and its two accounts, as npm start -- --empty does',
    '1',
    oneOf('0', '1'),
  ),
  SEARCH_WORDS: setting(
    'a file with the vocabulary of the search; unset: config/search-words.txt, which explains its format',
    '',
    OPTIONAL,
  ),
  STORE_MARKET: setting('classic, or uk: pounds, UK addresses and shipping prices everywhere', 'classic', MARKET),
  ORDER_CUTOFF_HOUR: setting('the full hour, UK time, before which an order counts from the same day, 0 to 23', '14', whole(0, 23)),
  STRIPE_SECRET_KEY: setting('the payment provider; unset: a payment sandbox is started', '', OPTIONAL),
  STRIPE_WEBHOOK_SECRET: setting('secret of the provider’s webhook at /stripe/webhook; during a rotation both, separated by a comma'),
  STRIPE_API_BASE: setting("another host for the provider's API (tests)", '', ADDRESS),
  PAYMENT_SANDBOX: setting(
    '1: allows the payment sandbox on an address other than this machine’s own; every page says that nothing is charged',
    '',
    SWITCH,
  ),
  HOLD_SHARE: setting(
    'per cent of a product’s stock that unpaid card payments may hold; the last piece always can be',
    '100',
    whole(1, 100),
  ),
  SMTP_URL: setting('mail server; unset: each mail is a file under SHOP_DATA_DIR/mail', '', ADDRESS),
  MAIL_FROM: setting('sender of every mail; unset: SHOP_NAME <shop@example.com>', '', OPTIONAL),
  SHOP_NAME: setting(
    'the shop’s name; unset: COMPANY_NAME. A shop with another name shows nothing of the demo’s company, contact and showroom below: set its own',
    'Hearth & Oak',
  ),
  RATING_SOURCE: clearable('shown beside the stars of a product that no customer has reviewed, to say whose rating it is', 'Our rating'),
  COMPANY_NAME: companyDetail(
    'the company that runs the shop, as registered; in the footer and in every mail. Company and contact details that are set to nothing are not shown',
    'Hearth & Oak Ltd',
  ),
  COMPANY_NUMBER: companyDetail('its number at Companies House', '00000000'),
  COMPANY_OFFICE: companyDetail('its registered office, in one line', '14 Tannery Yard, Leeds LS10 1AB'),
  RETURNS_ADDRESS: setting('where customers post returns, in one line (large pieces are collected); unset: the registered office'),
  VAT_NUMBER: companyDetail(
    'its VAT number, such as GB123456789; set to nothing if it is not registered: then no page, mail or invoice says that prices include VAT',
    'GB000000000',
    VAT,
  ),
  VAT_RATE: setting('per cent of VAT that prices contain, with at most two decimals', '20', PER_CENT),
  SHOWROOM: companyDetail('its showroom’s address, in one line; set to nothing if it has none', '14 Tannery Yard, Leeds LS10 1AB'),
  OPENING_HOURS: companyDetail('when the showroom is open, as Days: times; separated by semicolons', HOURS, pairs(';', /:\s+/, HOURS)),
  SOCIAL_LINKS: companyDetail('its social pages, as Name=address, separated by commas', LINKS, pairs(',', /=/, LINKS)),
  CONTACT_EMAIL: companyDetail('email address for customers', 'hello@hearthandoak.example'),
  CONTACT_PHONE: companyDetail('phone number for customers', '01632 960148'),
  CONTACT_HOURS: companyDetail('when the phone is answered', 'Monday to Friday, 9:30 to 18:00'),
  REVIEW_MAIL_DAYS: setting('days after delivery until customers are asked for a review by mail; 0: never', '14', whole(0, 365)),
  CORS_ORIGINS: setting('other sites whose pages may call the API: origins, separated by commas', '', LIST),
  TRUST_PROXY: setting('addresses of proxies whose X-Forwarded-For is trusted, separated by commas', '', LIST),
  ORDERS_PER_HOUR: setting('orders that one account may place within an hour without paying by card', '60', whole(1, 1_000_000)),
  UNPAID_ORDERS: setting('orders of one account that may be neither paid nor delivered at a time', '40', whole(1, 1_000_000)),
  UNPAID_ORDERS_PER_ADDRESS: setting(
    'orders to one address (both lines and postal code), of all accounts together, that may be neither paid nor delivered at a time',
    '40',
    whole(1, 1_000_000),
  ),
  UNPAID_VALUE: setting(
    'pence that the unpaid cash orders of one account may total until one of its orders is paid or delivered; 0: no limit',
    '500000',
    whole(0, 2_000_000_000),
  ),
  UNPAID_VALUE_PER_ADDRESS: setting('the same of all such accounts together, to one address', '1000000', whole(0, 2_000_000_000)),
  UNPAID_VALUE_PER_NETWORK: setting(
    'the same from one network: an IPv4 address, or an IPv6 /48; raise it if many customers share one',
    '1000000',
    whole(0, 2_000_000_000),
  ),
  APPROVAL_ABOVE: setting(
    'pence above which the order of an account that has not yet received one waits for an administrator’s approval; 0: none does',
    '150000',
    whole(0, 1_000_000_000),
  ),
  RATE_LIMIT_FACTOR: setting('multiplies the rate limits of login, sign-up, reset and ordering (load tests)', '1', whole(1, 1_000_000)),
  ADMIN_SECOND_FACTOR: setting(
    'required: an administrator without a second factor can do nothing but set one up; optional: who wants one has one',
    'optional',
    oneOf('optional', 'required'),
  ),
  ADMIN_STEP_UP: setting(
    '1: an administrator without a second factor enters the password again before a role is given or taken, an administrator’s address is changed or a user is deleted; with a second factor its code is always asked for',
    '',
    SWITCH,
  ),
  SECOND_FACTOR_KEY: setting(
    'encrypts the secrets of second factors, 32 characters or more; during a rotation new,old; unset: they are stored unencrypted',
    '',
    KEYS,
  ),
  METRICS_TOKEN: setting('token for /metrics, as Authorization: Bearer; unset: only this machine can read them', '', OPTIONAL),
  KEEP_UNPAID_DAYS: setting(
    'days after which the buyer of an unpaid card checkout is deleted; shown on the privacy page',
    '30',
    whole(1, 3_650),
  ),
  KEEP_FAILED_JOBS_DAYS: setting('days after which jobs that have failed for good, mails among them, are deleted', '90', whole(1, 3_650)),
  KEEP_ORDER_MAILS_DAYS: setting('days for which the emails about an order can be viewed and sent again', '90', whole(1, 3_650)),
  KEEP_MAIL_FILES_DAYS: setting('days after which mails that were written as files are deleted', '30', whole(1, 3_650)),
  RELEASE: setting('this version’s name in errors and traces, such as a commit; unset: the version in package.json', '', OPTIONAL),
  SENTRY_DSN: setting(
    "where errors of servers and browsers are reported beside the log: a project's address in Sentry, GlitchTip or Bugsink",
    '',
    ADDRESS,
  ),
  OTEL_EXPORTER_OTLP_ENDPOINT: setting(
    'where traces go: the address of an OpenTelemetry collector (OTLP over HTTP), such as http://127.0.0.1:4318; unset: none are made',
    '',
    ADDRESS,
  ),
  OTEL_EXPORTER_OTLP_HEADERS: setting('headers for the collector, such as Authorization=Bearer%20…, separated by commas', '', HEADERS),
  TRACE_PERCENT: setting('per cent of traces that are kept, 0 to 100', '100', whole(0, 100)),
  TRACE_PARENT: setting(
    'link: a trace that a request names is linked; parent: it is continued, for a shop that only a trusted proxy reaches',
    'link',
    oneOf('link', 'parent'),
  ),
  LOG_LEVEL: setting('debug, info, warn, error or silent', 'info'),
  PICTURES_URL: setting(
    'the address of a CDN that serves pictures and 3D models, with the shop as its origin; unset: PUBLIC_URL',
    '',
    PICTURES_ADDRESS,
  ),
  S3_BUCKET: setting('keeps pictures in this bucket instead of on disk', '', OPTIONAL),
  PICTURE_CACHE_MB: setting('memory of each process for pictures from storage; 0: none', '32', whole(0, 4_096)),
  S3_ENDPOINT: setting("the object storage's address, unless it is AWS", '', ADDRESS),
  S3_REGION: setting("the bucket's region", 'eu-west-2'),
  S3_ACCESS_KEY_ID: setting('its key'),
  S3_SECRET_ACCESS_KEY: setting('and secret'),
});

export type Settings = z.infer<typeof VARIABLES>;

export const NAMES = Object.keys(VARIABLES.shape) as (keyof Settings)[];

/** Contradictions between settings, each at the one to change. */
const CONTRADICTIONS: readonly [name: keyof Settings, error: string, isWrong: (set: Settings) => unknown][] = [
  ['DATABASE_DIRECT_URL', 'is only of use if DATABASE_URL is a pooler', (set) => set.DATABASE_DIRECT_URL && !set.DATABASE_URL],
  [
    'BACKUP_WAL',
    'is for the embedded database: archive the WAL of a DATABASE_URL with pgBackRest',
    (set) => set.BACKUP_WAL && set.DATABASE_URL,
  ],
  ['BACKUP_WAL', 'names a bucket, and S3_BUCKET is not set', (set) => set.BACKUP_WAL?.startsWith('s3:') && !set.S3_BUCKET],
  ['PURGE_URL', 'is only of use with FRONT_CACHE_SECONDS', (set) => set.PURGE_URL && set.FRONT_CACHE_SECONDS === 0],
  ['STRIPE_WEBHOOK_SECRET', 'is required with STRIPE_SECRET_KEY', (set) => set.STRIPE_SECRET_KEY && !set.STRIPE_WEBHOOK_SECRET],
  [
    'PAYMENT_SANDBOX',
    'must not be 1 with a STRIPE_SECRET_KEY, which charges cards',
    (set) => set.PAYMENT_SANDBOX && set.STRIPE_SECRET_KEY && !set.STRIPE_API_BASE,
  ],
];

/** Contradictions are checked even if a single setting is wrong, so that all errors are named in one go. */
export const SETTINGS = CONTRADICTIONS.reduce(
  (settings, [name, error, isWrong]) => settings.refine((set) => !isWrong(set), { path: [name], error, when: () => true }),
  VARIABLES,
);

/** A setting's description: its purpose, and its value when unset. */
export const settingOf = (name: keyof Settings) =>
  VARIABLES.shape[name].meta() as { purpose: string; fallback: string; isCompanyDetail?: true };
