/** One setting: what it is for and what it is when unset; `.env.example` and the README's table are made from these. */
interface Setting {
  readonly purpose: string;
  readonly fallback: string;
}

/** Every environment variable that the shop reads. */
export const SETTINGS = {
  PORT: { purpose: 'port to serve on', fallback: '3000' },
  HOST: { purpose: 'address to serve on', fallback: '127.0.0.1' },
  PUBLIC_URL: { purpose: 'the address that visitors use; unset: http://HOST:PORT', fallback: '' },
  SHOP_DATA_DIR: { purpose: 'embedded database, pictures, mail', fallback: '.data' },
  DATABASE_URL: { purpose: 'PostgreSQL 15 or later; unset: an embedded PostgreSQL is started', fallback: '' },
  DATABASE_DIRECT_URL: {
    purpose:
      'PostgreSQL itself, where DATABASE_URL is a pooler in transaction mode (PgBouncer): for migrations, notices, jobs and commands, which need connections of their own',
    fallback: '',
  },
  DATABASE_REPLICA_URL: { purpose: 'replicas that take catalogue reads, separated by commas', fallback: '' },
  DATABASE_POOL: { purpose: 'connections that one process may hold besides those for the catalogue, 5 at least', fallback: '10' },
  SEARCHES_AT_ONCE: {
    purpose:
      'lists and searches not yet in the page cache that one process makes at once; it holds twice as many connections for the catalogue',
    fallback: '2',
  },
  SEARCHES_WAITING: { purpose: 'how many more wait for that, networks taking turns; beyond it the answer is 503', fallback: '40' },
  PAGES_AT_ONCE: { purpose: 'other pages not yet in the page cache that one process makes at once', fallback: '4' },
  PAGES_WAITING: { purpose: 'how many more wait for that, networks taking turns; beyond it the answer is 503', fallback: '200' },
  PAGE_CACHE_MB: { purpose: 'memory for ready pages in each process; 0 renders every page again', fallback: '64' },
  FRONT_CACHE_SECONDS: {
    purpose:
      'seconds that a cache in front of the shop (a CDN, Varnish) may keep pages, catalogue JSON and pictures; set PURGE_URL with it, or pages are old for so long after a change; 0: it asks the shop each time',
    fallback: '0',
  },
  PURGE_URL: { purpose: 'where that cache is told what has changed: a POST with the keys in the header Surrogate-Key', fallback: '' },
  PURGE_HEADERS: { purpose: 'what is sent beside, such as Fastly-Key=…, separated by commas', fallback: '' },
  SEED_DEMO: { purpose: '1 loads the demo catalogue and two accounts also into a DATABASE_URL', fallback: '' },
  SHOP_DEMO: {
    purpose: '0: an embedded database starts without the demo catalogue and its two accounts, as npm start -- --empty does',
    fallback: '1',
  },
  SEARCH_WORDS: { purpose: 'a file of what shoppers call things; unset: config/search-words.txt, which explains its form', fallback: '' },
  STORE_MARKET: { purpose: 'classic, or uk: pounds, UK addresses and shipping prices everywhere', fallback: 'classic' },
  ORDER_CUTOFF_HOUR: { purpose: 'the full hour, in the UK, until which an order counts from the same day, 0 to 23', fallback: '14' },
  STRIPE_SECRET_KEY: { purpose: 'the payment provider; unset: a payment sandbox is started', fallback: '' },
  STRIPE_WEBHOOK_SECRET: { purpose: 'signs what the provider sends to /stripe/webhook', fallback: '' },
  STRIPE_API_BASE: { purpose: "another host for the provider's API (tests)", fallback: '' },
  PAYMENT_SANDBOX: {
    purpose: '1: payments are only tried out, and every page says so; needed where the sandbox is not on this machine’s own address',
    fallback: '',
  },
  HOLD_SHARE: { purpose: 'per cent of a product’s stock that unpaid card payments may hold; a last piece always', fallback: '100' },
  SMTP_URL: { purpose: 'mail server; unset: each mail is a file under SHOP_DATA_DIR/mail', fallback: '' },
  MAIL_FROM: { purpose: 'sender of every mail; unset: SHOP_NAME <shop@example.com>', fallback: '' },
  SHOP_NAME: {
    purpose:
      'what the shop calls itself; unset: COMPANY_NAME. A shop of another name shows nothing of the demo’s company, contact and showroom below: set what it has',
    fallback: 'Hearth & Oak',
  },
  RATING_SOURCE: { purpose: 'whose stars a product has that no customer has reviewed, as said beside them', fallback: 'Our rating' },
  COMPANY_NAME: {
    purpose:
      'the company that runs the shop, as registered; in the footer and in every mail. Of the company and its contact, what is set to nothing is not shown',
    fallback: 'Hearth & Oak Ltd',
  },
  COMPANY_NUMBER: { purpose: 'its number at Companies House', fallback: '00000000' },
  COMPANY_OFFICE: { purpose: 'its registered office, in one line', fallback: '14 Tannery Yard, Leeds LS10 1AB' },
  RETURNS_ADDRESS: {
    purpose: 'where customers send pieces back that can be posted, in one line; large ones are collected; unset: the registered office',
    fallback: '',
  },
  VAT_NUMBER: {
    purpose:
      'its VAT number, such as GB123456789; set to nothing: it is not registered, and no page, mail or invoice says that prices include VAT',
    fallback: 'GB000000000',
  },
  VAT_RATE: { purpose: 'per cent of VAT that prices contain, with at most two decimals', fallback: '20' },
  SHOWROOM: {
    purpose: 'where its showroom is, in one line; set to nothing where it has none',
    fallback: '14 Tannery Yard, Leeds LS10 1AB',
  },
  OPENING_HOURS: {
    purpose: 'when the showroom is open, as Days: times; separated by semicolons',
    fallback: 'Monday to Friday: 9:30 to 18:00; Saturday: 10:00 to 17:00; Sunday: 11:00 to 16:00',
  },
  SOCIAL_LINKS: {
    purpose: 'its pages elsewhere, as Name=address, separated by commas',
    fallback: 'Instagram=https://www.instagram.com/hearthandoak.example,Facebook=https://www.facebook.com/hearthandoak.example',
  },
  CONTACT_EMAIL: { purpose: 'where customers write to', fallback: 'hello@hearthandoak.example' },
  CONTACT_PHONE: { purpose: 'where they call', fallback: '01632 960148' },
  CONTACT_HOURS: { purpose: 'when the phone is answered', fallback: 'Monday to Friday, 9:30 to 18:00' },
  REVIEW_MAIL_DAYS: { purpose: 'days after delivery until customers are asked for a review by mail; 0: they are not', fallback: '14' },
  CORS_ORIGINS: { purpose: 'origins, separated by commas, that may call the API from another site', fallback: '' },
  TRUST_PROXY: { purpose: 'addresses of proxies whose X-Forwarded-For is believed, separated by commas', fallback: '' },
  ORDERS_PER_HOUR: { purpose: 'orders that one account may place within an hour without paying by card', fallback: '60' },
  UNPAID_ORDERS: { purpose: 'orders of one account that may be neither paid nor delivered at a time', fallback: '40' },
  UNPAID_ORDERS_PER_ADDRESS: {
    purpose:
      'orders to one address (both lines and postal code), of all accounts together, that may be neither paid nor delivered at a time',
    fallback: '40',
  },
  UNPAID_VALUE: {
    purpose: 'pence that the unpaid cash orders of one account may come to while none of its orders was paid or delivered; 0: any amount',
    fallback: '500000',
  },
  UNPAID_VALUE_PER_ADDRESS: { purpose: 'the same of all such accounts together, to one address', fallback: '1000000' },
  UNPAID_VALUE_PER_NETWORK: {
    purpose: 'the same from one network: an IPv4 address, or an IPv6 /48; raise it for a shop whose customers share one address',
    fallback: '1000000',
  },
  APPROVAL_ABOVE: {
    purpose: 'pence above which an order waits for approval by an administrator while its account has not yet received one; 0: none does',
    fallback: '150000',
  },
  RATE_LIMIT_FACTOR: { purpose: 'multiplies what login, sign-up, reset and ordering allow within a time (load tests)', fallback: '1' },
  ADMIN_SECOND_FACTOR: {
    purpose: 'required: an administrator without a second factor can do nothing but set one up; optional: who wants one has one',
    fallback: 'optional',
  },
  ADMIN_STEP_UP: {
    purpose:
      '1: an administrator without a second factor enters the password again before a role is given or taken, an administrator’s address is changed or a user is deleted; with a second factor its code is always asked for',
    fallback: '',
  },
  SECOND_FACTOR_KEY: {
    purpose: 'encrypts the secrets of second factors, 32 characters or more; unset: the database keeps them as they are',
    fallback: '',
  },
  METRICS_TOKEN: {
    purpose: 'lets anyone who sends it read /metrics, as Authorization: Bearer; unset: only this machine reads them',
    fallback: '',
  },
  KEEP_UNPAID_DAYS: {
    purpose: 'days after which a card checkout that was never paid forgets its buyer; on the privacy page',
    fallback: '30',
  },
  KEEP_FAILED_JOBS_DAYS: { purpose: 'days after which jobs that have failed for good, mails among them, are deleted', fallback: '90' },
  KEEP_MAIL_FILES_DAYS: { purpose: 'days after which mails that were written as files are deleted', fallback: '30' },
  RELEASE: { purpose: 'what errors and traces call this version, such as a commit; unset: the version in package.json', fallback: '' },
  SENTRY_DSN: {
    purpose: "where errors of servers and browsers are reported beside the log: a project's address in Sentry, GlitchTip or Bugsink",
    fallback: '',
  },
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    purpose:
      'where traces go: the address of an OpenTelemetry collector (OTLP over HTTP), such as http://127.0.0.1:4318; unset: none are made',
    fallback: '',
  },
  OTEL_EXPORTER_OTLP_HEADERS: { purpose: 'what it wants to be sent, such as Authorization=Bearer%20…, separated by commas', fallback: '' },
  TRACE_PERCENT: { purpose: 'per cent of traces that are kept, 0 to 100', fallback: '100' },
  TRACE_PARENT: {
    purpose: 'link: a trace that a request names is linked; parent: it is continued, for a shop that only a trusted proxy reaches',
    fallback: 'link',
  },
  LOG_LEVEL: { purpose: 'debug, info, warn, error or silent', fallback: 'info' },
  PICTURES_URL: {
    purpose:
      'the address of a CDN from which visitors get pictures and 3D models instead of from the shop, which it asks for what it lacks; unset: PUBLIC_URL',
    fallback: '',
  },
  S3_BUCKET: { purpose: 'keeps pictures in this bucket instead of on disk', fallback: '' },
  PICTURE_CACHE_MB: { purpose: 'memory of each process for pictures that it has read; 0: read each time', fallback: '32' },
  S3_ENDPOINT: { purpose: "the object storage's address, where it is not AWS", fallback: '' },
  S3_REGION: { purpose: "the bucket's region", fallback: 'eu-west-2' },
  S3_ACCESS_KEY_ID: { purpose: 'its key', fallback: '' },
  S3_SECRET_ACCESS_KEY: { purpose: 'and secret', fallback: '' },
} as const satisfies Record<string, Setting>;
