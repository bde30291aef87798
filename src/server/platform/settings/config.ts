import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Company } from '#contract/market/company.ts';
import { MARKETS, type Market } from '#contract/market/market.ts';
import { ROOT } from '#server/platform/root.ts';
import { SETTINGS } from './settings.ts';

type Environment = Readonly<Record<string, string | undefined>>;

type Name = keyof typeof SETTINGS;

/** Reads settings by their names, and notes what is wrong with them. */
class Reader {
  readonly wrong: string[] = [];
  readonly #env: Environment;

  constructor(env: Environment) {
    this.#env = env;
  }

  text(name: Name): string {
    return this.#env[name]?.trim() || SETTINGS[name].fallback;
  }

  /** A text that may be set to nothing, which is not said anywhere then. */
  said(name: Name): string {
    return (this.#env[name] ?? SETTINGS[name].fallback).trim();
  }

  optional(name: Name): string | undefined {
    return this.text(name) || undefined;
  }

  list(name: Name): string[] {
    return this.text(name)
      .split(',')
      .map((part) => part.trim())
      .filter(Boolean);
  }

  number(name: Name, min: number, max: number): number {
    const value = Number(this.text(name));
    if (!Number.isInteger(value) || value < min || value > max) this.wrong.push(`${name} must be a whole number from ${min} to ${max}`);
    return value;
  }

  url(name: Name): string | undefined {
    const value = this.optional(name);
    if (value && !URL.canParse(value)) this.wrong.push(`${name} must be a URL`);
    return value?.replace(/\/$/, '');
  }

  urls(name: Name): string[] {
    const values = this.list(name);
    if (!values.every((value) => URL.canParse(value))) this.wrong.push(`${name} must be URLs, separated by commas`);
    return values;
  }

  direct(): string | undefined {
    const value = this.url('DATABASE_DIRECT_URL');
    if (value && !this.optional('DATABASE_URL')) this.wrong.push('DATABASE_DIRECT_URL is of use only beside the DATABASE_URL of a pooler');
    return value;
  }

  oneOf(name: Name, values: readonly string[]): string {
    const value = this.text(name);
    if (!values.includes(value)) this.wrong.push(`${name} must be one of ${values.join(', ')}`);
    return value;
  }

  key(name: Name): string | undefined {
    const value = this.optional(name);
    if (value && value.length < 32) this.wrong.push(`${name} must have 32 characters or more`);
    return value;
  }

  /** What one account, address or network may order. */
  ceilings() {
    return {
      ordersPerHour: this.number('ORDERS_PER_HOUR', 1, 1_000_000),
      unpaidOrders: this.number('UNPAID_ORDERS', 1, 1_000_000),
      unpaidOrdersPerAddress: this.number('UNPAID_ORDERS_PER_ADDRESS', 1, 1_000_000),
      // Pence.
      unpaidValue: this.number('UNPAID_VALUE', 0, 2_000_000_000),
      unpaidValuePerAddress: this.number('UNPAID_VALUE_PER_ADDRESS', 0, 2_000_000_000),
      unpaidValuePerNetwork: this.number('UNPAID_VALUE_PER_NETWORK', 0, 2_000_000_000),
      approvalAbove: this.number('APPROVAL_ABOVE', 0, 1_000_000_000),
    };
  }

  /** What the shop calls itself. */
  shop(): string {
    return this.#env.SHOP_NAME?.trim() || this.#env.COMPANY_NAME?.trim() || SETTINGS.SHOP_NAME.fallback;
  }

  /** A text about the company itself: nothing of the demo's is said of a shop that has another name. */
  own(name: Name): string {
    const isDemo = ([SETTINGS.SHOP_NAME.fallback, SETTINGS.COMPANY_NAME.fallback] as string[]).includes(this.shop());
    return (this.#env[name] ?? (isDemo ? SETTINGS[name].fallback : '')).trim();
  }

  /** `Name=address, Name=address`, or with other signs between them. */
  pairs(name: Name, between: string, within: RegExp): [string, string][] {
    const pairs = this.own(name)
      .split(between)
      .map((pair) => pair.trim())
      .filter(Boolean)
      .map((pair): [string, string] => {
        const [first = ''] = pair.split(within, 1);
        return [first.trim(), pair.slice(first.length).replace(within, '').trim()];
      });
    if (pairs.some(([first, second]) => !(first && second))) this.wrong.push(`${name} must look like ${SETTINGS[name].fallback}`);
    return pairs;
  }

  company(): Company {
    const shop = this.shop();
    const [name, number, office] = [this.own('COMPANY_NAME'), this.own('COMPANY_NUMBER'), this.own('COMPANY_OFFICE')];
    const [email, phone, hours] = [this.own('CONTACT_EMAIL'), this.own('CONTACT_PHONE'), this.own('CONTACT_HOURS')];
    const [showroom, returnsAddress] = [this.own('SHOWROOM'), this.said('RETURNS_ADDRESS')];
    const openingHours = this.pairs('OPENING_HOURS', ';', /:\s+/);
    const social = this.pairs('SOCIAL_LINKS', ',', /=/);
    const vatNumber = this.own('VAT_NUMBER').replace(/\s/g, '').toUpperCase();
    if (vatNumber && !/^GB(\d{9}|\d{12})$/.test(vatNumber)) this.wrong.push('VAT_NUMBER must be GB with 9 or 12 digits');
    const unpaidDays = this.number('KEEP_UNPAID_DAYS', 1, 3_650);
    const ratingSource = this.said('RATING_SOURCE');
    return {
      shop,
      showroom,
      openingHours,
      social,
      name,
      number,
      office,
      returnsAddress,
      vatNumber,
      email,
      phone,
      hours,
      ratingSource,
      unpaidDays,
    };
  }

  /** The VAT that prices contain, in hundredths of a per cent; undefined where the company is not registered for it. */
  vat({ vatNumber: number }: Company): { number: string; rate: number } | undefined {
    const rate = this.text('VAT_RATE');
    if (!/^(\d{1,2}(\.\d{1,2})?|100)$/.test(rate)) this.wrong.push('VAT_RATE must be a per cent, such as 20 or 17.5');
    return number ? { number, rate: Math.round(Number(rate) * 100) } : undefined;
  }

  /** The cache in front of the shop; undefined where there is none. */
  front(): { seconds: number; purgeUrl: string | undefined; purgeHeaders: Record<string, string> } | undefined {
    const seconds = this.number('FRONT_CACHE_SECONDS', 0, 31_536_000);
    const purgeUrl = this.url('PURGE_URL');
    const purgeHeaders = this.headers('PURGE_HEADERS');
    if (purgeUrl && seconds === 0) this.wrong.push('PURGE_URL is of use only with FRONT_CACHE_SECONDS');
    return seconds > 0 ? { seconds, purgeUrl, purgeHeaders } : undefined;
  }

  market(): Market {
    const market = MARKETS[this.text('STORE_MARKET') as keyof typeof MARKETS];
    if (!market) this.wrong.push(`STORE_MARKET must be one of ${Object.keys(MARKETS).join(', ')}`);
    return market;
  }

  stripe(): { secretKey: string; webhookSecret: string; apiBase: string | undefined } | undefined {
    const secretKey = this.optional('STRIPE_SECRET_KEY');
    const webhookSecret = this.text('STRIPE_WEBHOOK_SECRET');
    const apiBase = this.url('STRIPE_API_BASE');
    if (!secretKey) return undefined;
    if (!webhookSecret) this.wrong.push('STRIPE_WEBHOOK_SECRET is needed beside STRIPE_SECRET_KEY');
    if (!apiBase && this.text('PAYMENT_SANDBOX') === '1')
      this.wrong.push('PAYMENT_SANDBOX=1 contradicts a STRIPE_SECRET_KEY, with which cards are charged');
    return { secretKey, webhookSecret, apiBase };
  }

  /** Names and values as OpenTelemetry has them: `name=value`, separated by commas, values escaped as in URLs. */
  headers(name: Name): Record<string, string> {
    const pairs = this.list(name).map((pair) => /^([^=\s]+)=([^%]*(?:%[\dA-Fa-f]{2}[^%]*)*)$/.exec(pair));
    if (pairs.includes(null)) this.wrong.push(`${name} must be name=value, separated by commas`);
    return Object.fromEntries(pairs.map((pair) => [pair?.[1] ?? '', decodeURIComponent(pair?.[2] ?? '')]));
  }

  traces() {
    const endpoint = this.url('OTEL_EXPORTER_OTLP_ENDPOINT');
    const headers = this.headers('OTEL_EXPORTER_OTLP_HEADERS');
    const share = this.number('TRACE_PERCENT', 0, 100) / 100;
    const believesParent = this.oneOf('TRACE_PARENT', ['link', 'parent']) === 'parent';
    return endpoint ? { endpoint, headers, share, believesParent } : undefined;
  }

  /** How the shop is seen from outside itself. */
  telemetry() {
    const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
    return {
      release: this.optional('RELEASE') ?? version,
      sentryDsn: this.url('SENTRY_DSN'),
      traces: this.traces(),
      metricsToken: this.optional('METRICS_TOKEN'),
      logLevel: this.text('LOG_LEVEL'),
    };
  }

  /** How many answers of the catalogue are made at once, and how many wait for that. */
  making() {
    return {
      searches: { atOnce: this.number('SEARCHES_AT_ONCE', 1, 100), waiting: this.number('SEARCHES_WAITING', 0, 100_000) },
      pages: { atOnce: this.number('PAGES_AT_ONCE', 1, 100), waiting: this.number('PAGES_WAITING', 0, 100_000) },
    };
  }

  /** Where pictures are kept, and from where they are shown. */
  pictures() {
    const picturesUrl = this.url('PICTURES_URL');
    if (picturesUrl && !/^https?:\/\/[^\s$?#;,'"]+$/.test(picturesUrl))
      this.wrong.push('PICTURES_URL must begin with http:// or https://, and have no ? or #');
    return { picturesUrl, s3: this.s3(), pictureCacheBytes: this.number('PICTURE_CACHE_MB', 0, 4_096) * 1024 * 1024 };
  }

  /** The bucket of pictures; undefined where they are on disk. */
  s3() {
    const [bucket, endpoint] = [this.optional('S3_BUCKET'), this.url('S3_ENDPOINT')];
    const region = this.text('S3_REGION');
    const [accessKeyId, secretAccessKey] = [this.text('S3_ACCESS_KEY_ID'), this.text('S3_SECRET_ACCESS_KEY')];
    return bucket ? { bucket, endpoint, region, accessKeyId, secretAccessKey } : undefined;
  }
}

/** What the settings say. */
export type Config = ReturnType<typeof readConfig>;

/** Reads the environment once. Throws an Error that names every setting that is wrong. */
export function readConfig(env: Environment) {
  const read = new Reader(env);
  const port = read.number('PORT', 0, 65_535);
  const host = read.text('HOST');
  const stripe = read.stripe();
  const company = read.company();
  const config = {
    port,
    host,
    publicUrl: read.url('PUBLIC_URL') ?? `http://${EVERY_ADDRESS[host] ? 'localhost' : hostInUrl(host)}:${port}`,
    dataDir: read.text('SHOP_DATA_DIR'),
    databaseUrl: read.url('DATABASE_URL'),
    databaseDirectUrl: read.direct(),
    databaseReplicaUrls: read.urls('DATABASE_REPLICA_URL'),
    databasePool: read.number('DATABASE_POOL', 5, 1_000),
    pageCacheBytes: read.number('PAGE_CACHE_MB', 0, 4_096) * 1024 * 1024,
    making: read.making(),
    front: read.front(),
    seedDemo: read.text('SEED_DEMO') === '1',
    startsEmpty: read.oneOf('SHOP_DEMO', ['0', '1']) === '0',
    /** Where the vocabulary of the search is. */
    searchWords: read.optional('SEARCH_WORDS') ?? join(ROOT, 'config/search-words.txt'),
    market: read.market(),
    /** The full hour of the shop's day until which an order counts from that day. */
    cutOffHour: read.number('ORDER_CUTOFF_HOUR', 0, 23),
    stripe,
    /** Nothing is charged: the provider is a sandbox. */
    isSandbox: !stripe || read.text('PAYMENT_SANDBOX') === '1',
    /** Per cent. */
    holdShare: read.number('HOLD_SHARE', 1, 100),
    smtpUrl: read.url('SMTP_URL'),
    mailFrom: read.optional('MAIL_FROM') ?? `"${company.shop.replace(/["\\]/g, '')}" <shop@example.com>`,
    company,
    vat: read.vat(company),
    reviewMailDays: read.number('REVIEW_MAIL_DAYS', 0, 365),
    corsOrigins: read.list('CORS_ORIGINS'),
    trustProxy: read.list('TRUST_PROXY'),
    ...read.ceilings(),
    rateLimitFactor: read.number('RATE_LIMIT_FACTOR', 1, 1_000_000),
    failedJobsDays: read.number('KEEP_FAILED_JOBS_DAYS', 1, 3_650),
    mailFilesDays: read.number('KEEP_MAIL_FILES_DAYS', 1, 3_650),
    isStepUpRequired: read.text('ADMIN_STEP_UP') === '1',
    isSecondFactorRequired: read.oneOf('ADMIN_SECOND_FACTOR', ['optional', 'required']) === 'required',
    secondFactorKey: read.key('SECOND_FACTOR_KEY'),
    ...read.telemetry(),
    ...read.pictures(),
  };
  if (read.wrong.length > 0) throw new Error(`The settings contradict each other:\n${read.wrong.map((line) => `  ${line}`).join('\n')}`);
  return config;
}

/** A server on one of these answers on every address of the machine, and no browser can be sent to it: the address to reach it by from here. */
const EVERY_ADDRESS: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '[::1]' };

/** A host as it stands in a URL: an IPv6 address within brackets. */
const hostInUrl = (host: string): string => (host.includes(':') ? `[${host}]` : host);

/**
 * Where the payment sandbox listens, by which name payers reach it, and by which name it reaches the shop. Where the shop serves on every
 * address, payers come from other machines: by the shop's public name, and on a port that is known beforehand, so that it can be opened.
 */
export function sandboxPlace({ host, port, publicUrl }: Config): { host: string; publicHost?: string; port: number; ownHost: string } {
  const ownHost = EVERY_ADDRESS[host];
  if (!ownHost) return { host, port: 0, ownHost: hostInUrl(host) };
  return { host, publicHost: new URL(publicUrl).hostname, port: port === 0 ? 0 : port + 1, ownHost };
}

/** Whether a new shop is filled with the demo. `--empty` is for the one who starts it by hand. */
export const wantsDemo = ({ databaseUrl, seedDemo, startsEmpty }: Config, args: readonly string[]): boolean =>
  seedDemo || !(databaseUrl || startsEmpty || args.includes('--empty'));

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/i;

/**
 * Throws where a shop would start the payment sandbox by oversight (clarifications, section 11): anyone who reaches it buys with a test card.
 * On this machine's own address nobody else does, and `PAYMENT_SANDBOX=1` says that it is meant.
 */
export function checkSandbox({ stripe, host, publicUrl }: Config, env: Environment): void {
  if (stripe || env.PAYMENT_SANDBOX?.trim() === '1') return;
  const open = [host, new URL(publicUrl).hostname].find((name) => !LOOPBACK.test(name));
  if (open === undefined) return;
  throw new Error(
    `STRIPE_SECRET_KEY is not set, and ${open} is not this machine's own address: anyone who reaches the shop would buy with a test card. Set the key, or PAYMENT_SANDBOX=1 to try the shop out.`,
  );
}
