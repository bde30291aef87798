import { deliveryOf } from '#contract/delivery/delivery-settings.ts';
import { cut } from '#contract/platform/text.ts';
import { companyOf } from '#contract/settings/company-of.ts';
import { changesOf, SECTION_NAMES, SECTIONS, type SectionName, type ShopSettings } from '#contract/settings/sections.schema.ts';
import { type Actor, recordChange } from '#server/context/audit.ts';
import { settingsChanged } from '#server/platform/cache/catalogue-changes.ts';
import type { Db, Tx } from '#server/platform/database/connect.ts';
import { type Config, senderOf, vatOf } from '#server/platform/settings/config.ts';
import { defaultsOf } from './defaults.ts';

/** One saving of a section. */
export interface SavedSection {
  version: number;
  values: Record<string, unknown>;
  /** Null for the values that the shop started with. */
  at: string | null;
  actor: string;
}

type Stored = Partial<Record<SectionName, Record<string, unknown>>>;

/** How many earlier versions of a section are shown. */
const HISTORY = 20;

/** The settings in force: the stored sections, and for sections and fields that are not stored the defaults from the environment. */
function settingsOf(initial: Config, stored: Stored): ShopSettings {
  const name = stored.shop?.name;
  const defaults = defaultsOf(initial, typeof name === 'string' ? name : undefined);
  const sections = SECTION_NAMES.map((section) => [section, { ...defaults[section], ...stored[section] }]);
  return Object.fromEntries(sections) as ShopSettings;
}

const hundredths = (perCent: number) => Math.round(perCent * 100);

/** The part of the configuration that comes from `/admin/settings`; the initial one if nothing is stored. */
function ownersPart(initial: Config, stored: Stored, settings: ShopSettings): Partial<Config> {
  if (Object.keys(stored).length === 0) {
    const { company, colours, favicon, vatRate, vat, mailFrom, carriers, delivery, staff, mailTexts, catalogue } = initial;
    return { company, colours, favicon, vatRate, vat, mailFrom, carriers, delivery, staff, mailTexts, catalogue };
  }
  const company = companyOf(initial.company, settings);
  return {
    company,
    colours: settings.shop,
    favicon: settings.shop.favicon,
    vatRate: hundredths(settings.company.vatRate),
    vat: vatOf(company.vatNumber, hundredths(settings.company.vatRate), hundredths(settings.company.reducedVatRate)),
    mailFrom: senderOf(company.shop, settings.contact.mailFrom),
    carriers: settings.carriers.list,
    delivery: deliveryOf(settings.delivery),
    staff: settings.staff,
    mailTexts: settings.mails,
    catalogue: settings.catalogue,
  };
}

/**
 * Updates a process's `config` with the owner's settings. It starts with the environment's values; `load` runs at the start and after each change by any
 * process (`CatalogueInvalidation`), so that no request reads the table.
 */
export class SettingsLoader {
  readonly #db: Db;
  readonly #config: Config;
  readonly #initial: Config;
  current: ShopSettings;

  constructor(db: Db, config: Config) {
    this.#db = db;
    this.#config = config;
    // A copy, since `load` overwrites `config`.
    this.#initial = { ...config };
    this.current = defaultsOf(config);
  }

  async load(): Promise<void> {
    const stored = await readStored(this.#db);
    this.current = settingsOf(this.#initial, stored);
    Object.assign(this.#config, ownersPart(this.#initial, stored, this.current));
  }

  /** The configuration with the owner's settings of an earlier time. */
  async configAt(at: string): Promise<Config> {
    const stored = await readStored(this.#db, at);
    return { ...this.#initial, ...ownersPart(this.#initial, stored, settingsOf(this.#initial, stored)) };
  }

  /** The values that a section had before it was saved for the first time. */
  get defaults(): ShopSettings {
    return defaultsOf(this.#initial, this.current.shop.name);
  }
}

async function readStored(db: Db, at?: string): Promise<Stored> {
  const rows = await db
    .selectFrom('shopSettings')
    .distinctOn('section')
    .select(['section', 'values'])
    .where('savedAt', '<=', at ?? 'infinity')
    .orderBy('section')
    .orderBy('version', 'desc')
    .execute();
  return Object.fromEntries(rows.map(({ section, values }) => [section, values]));
}

/** The latest versions of a section, newest first. */
export async function listVersions(db: Db, section: SectionName): Promise<SavedSection[]> {
  const rows = await db
    .selectFrom('shopSettings')
    .select(['version', 'values', 'savedAt', 'actorName'])
    .where('section', '=', section)
    .orderBy('version', 'desc')
    .limit(HISTORY)
    .execute();
  return rows.map(({ version, values, savedAt, actorName }) => ({
    version,
    values: values as Record<string, unknown>,
    at: savedAt,
    actor: actorName,
  }));
}

type Values = Record<string, unknown>;

/** The longest text of one setting's change in the audit log; the section's history has all of it. */
const LONGEST_CHANGE = 300;

/**
 * Stores the next version of a section. Returns false if somebody else has saved that version meanwhile. The audit log lists what differs from `before`,
 * the previous values: nothing by default.
 */
export async function storeVersion(
  tx: Tx,
  actor: Actor,
  section: SectionName,
  { version, values, before = values }: { version: number; values: Values; before?: Values },
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('shopSettings')
    .values({ section, version, values: JSON.stringify(values), actorId: actor._id, actorName: actor.name })
    .onConflict((conflict) => conflict.columns(['section', 'version']).doNothing())
    .executeTakeFirst();
  if (!numInsertedOrUpdatedRows) return false;
  const changes = changesOf(section, before, values).map((change) => cut(change, LONGEST_CHANGE));
  await recordChange(tx, actor, 'settings', null, [`Saved “${SECTIONS[section].title}”`, ...changes].join('. '));
  await settingsChanged(tx);
  return true;
}
