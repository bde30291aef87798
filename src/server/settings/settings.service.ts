import type { FieldErrors } from '#contract/form-checks.ts';
import { Problem } from '#contract/platform/problem.ts';
import { readFields, type SettingField, textOfValue } from '#contract/settings/fields.ts';
import { SECTIONS, type SectionName } from '#contract/settings/sections.ts';
import type { SettingsSection } from '#contract/settings/settings.schema.ts';
import { type Admin, provenWhereAsked, transactionOf } from '#server/context/context.ts';
import type { Services } from '#server/context/services.ts';
import { listVersions, storeVersion } from './settings-loader.ts';

/** One section, and its latest versions; the last of them has the values that the shop started with. */
export async function readSection(
  { db, settings }: Pick<Services, 'db' | 'settings'>,
  _: Admin,
  section: SectionName,
): Promise<SettingsSection> {
  const saved = await listVersions(db, section);
  const start = { version: 0, values: settings.defaults[section], at: null, actor: '' };
  const history = [...saved, start].map((one) => ({
    ...one,
    values: readFields(SECTIONS[section].fields, { ...start.values, ...one.values }).values,
  }));
  const { version, values } = history[0] ?? start;
  return { version, values, history };
}

/** For each field that somebody else has saved meanwhile and this form would change back: both values. */
function conflictsOf(
  fields: Record<string, SettingField>,
  sent: Record<string, unknown>,
  saved: SettingsSection['history'][number],
): FieldErrors {
  const differing = Object.entries(fields).filter(([name]) => JSON.stringify(sent[name]) !== JSON.stringify(saved.values[name]));
  const textOf = (field: SettingField, value: unknown) => textOfValue(field, value) || 'nothing';
  return Object.fromEntries(
    differing.map(([name, field]) => [
      name,
      `${saved.actor} has saved “${textOf(field, saved.values[name])}” meanwhile; you wrote “${textOf(field, sent[name])}”`,
    ]),
  );
}

/** Saves a section. Throws 400 with what is wrong by field, and 409 with both values where somebody else has saved it since `version`. */
export async function saveSection(
  services: Pick<Services, 'db' | 'config' | 'settings'>,
  who: Admin,
  section: SectionName,
  sent: { version: number; values: Record<string, unknown> },
): Promise<SettingsSection> {
  const { fields, isProtected } = SECTIONS[section];
  if (isProtected) provenWhereAsked(who, services.config);
  const { values, errors } = readFields(fields, sent.values);
  const [first] = Object.values(errors);
  if (first !== undefined) throw new Problem(400, `${first}.`, errors);
  const before = await readSection(services, who, section);
  const isStored =
    before.version === sent.version &&
    (await transactionOf(services.db, who, (tx) => storeVersion(tx, who, section, { version: sent.version + 1, values })));
  const after = await readSection(services, who, section);
  if (isStored) return after;
  const conflicts = after.history[0] ? conflictsOf(fields, values, after.history[0]) : {};
  if (Object.keys(conflicts).length === 0) return after;
  throw new Problem(409, CHANGED, conflicts);
}

const CHANGED = 'Somebody else has saved these settings since you opened them.';
