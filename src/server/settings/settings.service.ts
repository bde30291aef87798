import { z } from 'zod';
import { pictureId } from '#contract/catalogue/pictures.ts';
import { Problem } from '#contract/platform/problem.ts';
import { POLICY_NAMES } from '#contract/policies/policies.ts';
import { MAIL_NAMES, MAIL_PARTS, type MailName, type MailPart, mailField } from '#contract/settings/mail-texts.ts';
import { differencesOf, pictureRulesOf, picturesIn, SECTIONS, type SectionName } from '#contract/settings/sections.schema.ts';
import type { SettingsSection, TextPreview } from '#contract/settings/settings.schema.ts';
import { type Admin, proven, transactionOf } from '#server/context/context.ts';
import type { Services } from '#server/context/services.ts';
import { signed } from '#server/gateways/mail-signature.ts';
import { SAMPLES } from '#server/mail/samples.ts';
import { parseWith } from '#server/platform/http/route.ts';
import { renderPolicy } from '#server/policies/policies.service.ts';
import { listVersions, storeVersion } from './settings-loader.ts';
import { storePicture } from './settings-pictures.ts';

/** One section, and its latest versions, down to the values that the shop started with. */
export async function readSection(
  { db, settings }: Pick<Services, 'db' | 'settings'>,
  _: Admin,
  section: SectionName,
): Promise<SettingsSection> {
  const defaults = settings.defaults[section];
  const saved = await listVersions(db, section);
  // A field that was added since has its default.
  const history = saved.map((version) => ({ ...version, values: { ...defaults, ...version.values } }));
  const [{ version, values } = { version: 0, values: defaults }] = history;
  const initial = { version: 0, values: defaults, at: null, actor: '' };
  const reachesFirst = (history.at(-1)?.version ?? 1) === 1;
  return { version, values, history: reachesFirst ? [...history, initial] : history };
}

/** Stores a picture for a field and returns its URL, which the section's form then saves as the field's value. Throws 400, 413 or 415. */
export async function addPicture(
  { pictures }: Pick<Services, 'pictures'>,
  _: Admin,
  section: SectionName,
  sent: { field: string; picture: File },
): Promise<{ url: string }> {
  const rule = pictureRulesOf(section).get(sent.field);
  if (!rule) throw new Problem(400, `This section has no picture called ${sent.field}.`);
  return { url: await storePicture({ pictures }, rule, Buffer.from(await sent.picture.arrayBuffer()), sent.picture.name || 'The picture') };
}

/** A mail with unsaved texts, for an example order. Throws 400 for invalid texts. */
function previewMail(config: Services['config'], name: MailName, value: unknown): TextPreview {
  const texts = Object.fromEntries(Object.entries(value ?? {}).map(([part, text]) => [mailField(name, part as MailPart), text]));
  const fields = (Object.keys(MAIL_PARTS) as MailPart[]).map((part) => mailField(name, part));
  const { shape } = SECTIONS.mails.schema;
  const schema = z.object(Object.fromEntries(fields.map((field) => [field, shape[field] as z.ZodType<string>])));
  const mailTexts = { ...config.mailTexts, ...parseWith(schema, texts) };
  const { publicUrl, picturesUrl, company } = config;
  const { subject, text, html } = signed(SAMPLES[name]({ publicUrl, picturesUrl, company, mailTexts }), config);
  return { subject, text, html };
}

/** A text as customers will see it. Throws 400 for an invalid one. */
export async function previewText(
  { config }: Pick<Services, 'config'>,
  _: Admin,
  section: SectionName,
  { field, value }: { field: string; value?: unknown },
): Promise<TextPreview> {
  const mail = MAIL_NAMES.find((name) => name === field);
  if (section === 'mails' && mail) return previewMail(config, mail, value);
  const policy = POLICY_NAMES.find((name) => name === field);
  if (section !== 'policies' || !policy) throw new Problem(400, `This section has no text called ${field}.`);
  const { text } = parseWith(z.object({ text: SECTIONS.policies.schema.shape[policy] }), { text: value });
  const { markdown, html } = renderPolicy(config, policy, text);
  return { text: markdown, html };
}

type Values = Record<string, unknown>;

/** Both values of each field that somebody else has saved and this form would change back. */
function conflictsOf(section: SectionName, sent: Values, { actor, values: saved }: SettingsSection['history'][number]) {
  const texts = new Map<string, string[]>();
  for (const { path, from, to, isRow } of differencesOf(section, saved, sent)) {
    const valueConflict = `${actor} has saved “${from || 'nothing'}” since; you wrote “${to || 'nothing'}”`;
    const rowConflict = to
      ? `${actor} has since saved the list without “${to}”`
      : `${actor} has since saved “${from}”, which your list does not have`;
    texts.set(path, [...(texts.get(path) ?? []), isRow ? rowConflict : valueConflict]);
  }
  return Object.fromEntries([...texts].map(([path, all]) => [path, all.join('. ')]));
}

/** Throws 400 for a picture that is not stored, such as one that was removed since it was uploaded. */
async function refuseUnstored({ pictures }: Pick<Services, 'pictures'>, section: SectionName, values: Values): Promise<void> {
  for (const { path, label, holder, key } of picturesIn(section, values)) {
    const id = pictureId(String(holder[key]));
    if (!id || (await pictures.master(id))) continue;
    const text = `${label} is no longer stored. Please choose the picture again.`;
    throw new Problem(400, text, { [path]: text });
  }
}

/**
 * Saves a section. Throws 403 for a protected one unless password or code were entered again, 400 with a text for each invalid field, and 409 with both
 * values if somebody else has saved it since `version`.
 */
export async function saveSection(
  services: Pick<Services, 'db' | 'settings' | 'pictures'>,
  who: Admin,
  section: SectionName,
  sent: { version: number; values: Values },
): Promise<SettingsSection> {
  const { schema, isProtected } = SECTIONS[section];
  if (isProtected) proven(who);
  const values: Values = parseWith(schema, sent.values);
  await refuseUnstored(services, section, values);
  const before = await readSection(services, who, section);
  const isStored =
    before.version === sent.version &&
    (await transactionOf(services.db, who, (tx) =>
      storeVersion(tx, who, section, { version: sent.version + 1, values, before: before.values }),
    ));
  const after = await readSection(services, who, section);
  // Without a conflict, somebody else has saved the same values.
  const conflicts = !isStored && after.history[0] ? conflictsOf(section, values, after.history[0]) : {};
  if (Object.keys(conflicts).length > 0) throw new Problem(409, 'Somebody else has saved these settings since you opened them.', conflicts);
  return after;
}
