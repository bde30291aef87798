import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { LOW_STOCK } from '#contract/catalogue/catalogue.ts';
import { DEFAULT_CARRIERS } from '#contract/delivery/carriers.ts';
import { defaultDelivery, deliveryOf } from '#contract/delivery/delivery-settings.ts';
import type { VatClass, VatRate } from '#contract/invoices/vat.ts';
import type { Company } from '#contract/market/company.ts';
import type { MailTexts } from '#contract/settings/mail-texts.ts';
import { type Colours, DEFAULT_COLOURS } from '#contract/settings/palette.ts';
import type { ShopSettings } from '#contract/settings/sections.schema.ts';
import type { StaffSettings } from '#contract/settings/staff-events.ts';
import { ROOT } from '#server/platform/root.ts';
import { NAMES, SETTINGS, type Settings, settingOf } from './settings.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** The validated settings, and the shop's name. Throws an Error that names every setting that is wrong. */
function readSettings(env: Environment): { set: Settings; shop: string } {
  const [demo, demoCompany] = [settingOf('SHOP_NAME').fallback, settingOf('COMPANY_NAME').fallback];
  const shop = env.SHOP_NAME?.trim() || env.COMPANY_NAME?.trim() || demo;
  // A shop with another name gets none of the demo's company details.
  const isDemo = [demo, demoCompany].includes(shop);
  const { success, data, error } = SETTINGS.safeParse(isDemo ? env : { ...NO_COMPANY, ...env });
  if (success) return { set: data, shop };
  const wrong = error.issues.map(({ path, message }) => `  ${String(path[0])} ${message}`);
  throw new Error(`The settings contradict each other:\n${wrong.join('\n')}`);
}

const NO_COMPANY = Object.fromEntries(NAMES.filter((name) => settingOf(name).isCompanyDetail).map((name) => [name, '']));

const megabytes = (count: number) => count * 1024 * 1024;

const STRAPLINE = 'Furniture for real homes, delivered across the UK.';

/** The company that runs the shop. The environment has no setting for the constants: the owner sets them on `/admin/settings`. */
function companyOf(set: Settings, shop: string): Company {
  return {
    shop,
    strapline: STRAPLINE,
    logo: '',
    home: {},
    showroom: set.SHOWROOM,
    openingHours: set.OPENING_HOURS,
    social: set.SOCIAL_LINKS,
    name: set.COMPANY_NAME,
    number: set.COMPANY_NUMBER,
    office: set.COMPANY_OFFICE,
    collectsReturns: false,
    returnsAddress: set.RETURNS_ADDRESS,
    vatNumber: set.VAT_NUMBER,
    email: set.CONTACT_EMAIL,
    phone: set.CONTACT_PHONE,
    hours: set.CONTACT_HOURS,
    payment: { wallets: [], instalments: [] },
    ratingSource: set.RATING_SOURCE,
    unpaidDays: set.KEEP_UNPAID_DAYS,
  };
}

/** Limits on the orders of one account, address or network; values in pence. */
const ceilingsOf = (set: Settings) => ({
  ordersPerHour: set.ORDERS_PER_HOUR,
  unpaidOrders: set.UNPAID_ORDERS,
  unpaidOrdersPerAddress: set.UNPAID_ORDERS_PER_ADDRESS,
  unpaidValue: set.UNPAID_VALUE,
  unpaidValuePerAddress: set.UNPAID_VALUE_PER_ADDRESS,
  unpaidValuePerNetwork: set.UNPAID_VALUE_PER_NETWORK,
  approvalAbove: set.APPROVAL_ABOVE,
});

/** The cache in front of the shop, if any. */
const frontOf = ({ FRONT_CACHE_SECONDS: seconds, PURGE_URL: purgeUrl, PURGE_HEADERS: purgeHeaders }: Settings) =>
  seconds > 0 ? { seconds, purgeUrl, purgeHeaders } : undefined;

const stripeOf = ({ STRIPE_SECRET_KEY: secretKey, STRIPE_WEBHOOK_SECRET: webhookSecret, STRIPE_API_BASE: apiBase }: Settings) =>
  secretKey ? { secretKey, webhookSecret, apiBase } : undefined;

/** The bucket of pictures; undefined if they are on disk. */
const s3Of = (set: Settings) =>
  set.S3_BUCKET
    ? {
        bucket: set.S3_BUCKET,
        endpoint: set.S3_ENDPOINT,
        region: set.S3_REGION,
        accessKeyId: set.S3_ACCESS_KEY_ID,
        secretAccessKey: set.S3_SECRET_ACCESS_KEY,
      }
    : undefined;

const tracesOf = (set: Settings) =>
  set.OTEL_EXPORTER_OTLP_ENDPOINT
    ? {
        endpoint: set.OTEL_EXPORTER_OTLP_ENDPOINT,
        headers: set.OTEL_EXPORTER_OTLP_HEADERS,
        share: set.TRACE_PERCENT / 100,
        believesParent: set.TRACE_PARENT === 'parent',
      }
    : undefined;

function versionOf(): string {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
  return version;
}

/** The sender of mails: the shop's name and an address. */
export const senderOf = (shop: string, address: string): string => `"${shop.replace(/["\\]/g, '')}" <${address}>`;

/** The rate of reduced VAT until the owner sets another, in hundredths of a per cent. */
export const REDUCED_VAT = 500;

/** The VAT that prices contain, in hundredths of a per cent for each class of products; undefined without a VAT number. */
export const vatOf = (number: string, standard: VatRate, reduced: VatRate) =>
  number ? { number, rates: { standard, reduced, zero: 0 } satisfies Record<VatClass, VatRate> } : undefined;

/** As long as records of business are kept in the UK: six years. */
const LOG_DAYS = 2_192;

/** Until the owner sets up staff notices. */
const NOBODY_TOLD: StaffSettings = { notices: [], dailyHour: 8, lowStock: LOW_STOCK, logDays: LOG_DAYS };

/** The settings of the environment. `SettingsLoader` replaces those that are also on `/admin/settings` while the shop runs. */
export type Config = ReturnType<typeof readConfig>;

/** Reads the environment once. Throws an Error that names every setting that is wrong. */
export function readConfig(env: Environment) {
  const { set, shop } = readSettings(env);
  const stripe = stripeOf(set);
  return {
    port: set.PORT,
    host: set.HOST,
    publicUrl: set.PUBLIC_URL ?? `http://${EVERY_ADDRESS[set.HOST] ? 'localhost' : hostInUrl(set.HOST)}:${set.PORT}`,
    dataDir: set.SHOP_DATA_DIR,
    databaseUrl: set.DATABASE_URL,
    databaseDirectUrl: set.DATABASE_DIRECT_URL,
    databaseReplicaUrls: set.DATABASE_REPLICA_URL,
    databasePool: set.DATABASE_POOL,
    pageCacheBytes: megabytes(set.PAGE_CACHE_MB),
    /** Uncached answers of the catalogue: how many are rendered at once, and how many may wait. */
    making: {
      searches: { atOnce: set.SEARCHES_AT_ONCE, waiting: set.SEARCHES_WAITING },
      pages: { atOnce: set.PAGES_AT_ONCE, waiting: set.PAGES_WAITING },
    },
    front: frontOf(set),
    seedDemo: set.SEED_DEMO,
    startsEmpty: set.SHOP_DEMO === '0',
    /** The file with the vocabulary of the search. */
    searchWords: set.SEARCH_WORDS ?? join(ROOT, 'config/search-words.txt'),
    market: set.STORE_MARKET,
    /** For the steps of opening a shop: whether somebody has chosen it. */
    isMarketSet: Boolean(env.STORE_MARKET),
    /** The full hour, UK time, before which an order counts from the same day. */
    cutOffHour: set.ORDER_CUTOFF_HOUR,
    delivery: deliveryOf(defaultDelivery(set.STORE_MARKET.name, set.ORDER_CUTOFF_HOUR)),
    /** The owner's headings of categories, and the rooms to shop. */
    catalogue: { categories: [], rooms: [] } as ShopSettings['catalogue'],
    stripe,
    /** Nothing is charged: the provider is a sandbox. */
    isSandbox: !stripe || set.PAYMENT_SANDBOX,
    /** Per cent. */
    holdShare: set.HOLD_SHARE,
    smtpUrl: set.SMTP_URL,
    mailFrom: set.MAIL_FROM ?? senderOf(shop, 'shop@example.com'),
    company: companyOf(set, shop),
    carriers: DEFAULT_CARRIERS,
    staff: NOBODY_TOLD,
    /** The owner's texts of mails to customers. */
    mailTexts: {} as MailTexts,
    /** The owner's, for pages and mails. */
    colours: DEFAULT_COLOURS as Colours,
    /** The URL of the owner's favicon; empty for the shop's own. */
    favicon: '',
    /** The VAT that prices contain; undefined where the company is not registered for it. */
    vat: vatOf(set.VAT_NUMBER, set.VAT_RATE, REDUCED_VAT),
    /** In hundredths of a per cent, also where no VAT is charged. */
    vatRate: set.VAT_RATE,
    reviewMailDays: set.REVIEW_MAIL_DAYS,
    corsOrigins: set.CORS_ORIGINS,
    trustProxy: set.TRUST_PROXY,
    ...ceilingsOf(set),
    rateLimitFactor: set.RATE_LIMIT_FACTOR,
    failedJobsDays: set.KEEP_FAILED_JOBS_DAYS,
    orderMailsDays: set.KEEP_ORDER_MAILS_DAYS,
    mailFilesDays: set.KEEP_MAIL_FILES_DAYS,
    isStepUpRequired: set.ADMIN_STEP_UP,
    isSecondFactorRequired: set.ADMIN_SECOND_FACTOR === 'required',
    /** The first one encrypts. The others only decrypt, during a rotation. */
    secondFactorKeys: set.SECOND_FACTOR_KEY,
    release: set.RELEASE ?? versionOf(),
    sentryDsn: set.SENTRY_DSN,
    traces: tracesOf(set),
    metricsToken: set.METRICS_TOKEN,
    logLevel: set.LOG_LEVEL,
    picturesUrl: set.PICTURES_URL,
    s3: s3Of(set),
    backupWal: set.BACKUP_WAL,
    backupDays: set.KEEP_BACKUP_DAYS,
    pictureCacheBytes: megabytes(set.PICTURE_CACHE_MB),
  };
}

/** The hosts that listen on every address of the machine. Browsers cannot open them; the value is the loopback address that reaches them from here. */
const EVERY_ADDRESS: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '[::1]' };

/** A host as written in a URL: an IPv6 address within brackets. */
const hostInUrl = (host: string): string => (host.includes(':') ? `[${host}]` : host);

/**
 * Where the payment sandbox listens, the name by which payers reach it, and the name by which it reaches the shop. If the shop listens on every address,
 * payers on other machines reach the sandbox by the shop's public name, on a fixed port that a firewall can open.
 */
export function sandboxPlace({ host, port, publicUrl }: Config): { host: string; publicHost?: string; port: number; ownHost: string } {
  const ownHost = EVERY_ADDRESS[host];
  if (!ownHost) return { host, port: 0, ownHost: hostInUrl(host) };
  return { host, publicHost: new URL(publicUrl).hostname, port: port === 0 ? 0 : port + 1, ownHost };
}

/** Whether a new shop is filled with the demo. `--empty` is for starting it by hand. */
export const wantsDemo = ({ databaseUrl, seedDemo, startsEmpty }: Config, args: readonly string[]): boolean =>
  seedDemo || !(databaseUrl || startsEmpty || args.includes('--empty'));

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/i;

/** The name by which other machines may reach the shop; undefined if only its own machine does. */
export const exposedHost = ({ host, publicUrl }: Pick<Config, 'host' | 'publicUrl'>): string | undefined =>
  [host, new URL(publicUrl).hostname].find((name) => !LOOPBACK.test(name));

/**
 * Throws if a shop would start the payment sandbox by mistake (clarifications, section 11): anyone who reaches it can buy with a test card. Allowed on a
 * loopback address, which nobody else reaches, and with `PAYMENT_SANDBOX=1`.
 */
export function checkSandbox(config: Config, env: Environment): void {
  const exposed = exposedHost(config);
  if (config.stripe || env.PAYMENT_SANDBOX?.trim() === '1' || exposed === undefined) return;
  throw new Error(
    `STRIPE_SECRET_KEY is not set, and ${exposed} is not this machine's own address: anyone who reaches the shop would buy with a test card. Set the key, or PAYMENT_SANDBOX=1 to try the shop out.`,
  );
}
