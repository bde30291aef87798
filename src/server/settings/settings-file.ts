import { isDeepStrictEqual } from 'node:util';
import { wordsOf } from '#contract/platform/validation-messages.ts';
import { SECTION_NAMES, SECTIONS, type SectionName, type ShopSettings } from '#contract/settings/sections.schema.ts';
import { COMMAND_LINE } from '#server/context/audit.ts';
import type { Services } from '#server/context/services.ts';
import { Refusal } from '#server/platform/refusal.ts';
import { listVersions, storeVersion } from './settings-loader.ts';

/** The sections of a file with what is wrong in it, as `shop.dark: …`; a field that the file leaves out keeps its value. */
function readFile(text: string, current: ShopSettings): Partial<ShopSettings> {
  let sent: unknown;
  try {
    sent = JSON.parse(text);
  } catch {
    throw new Refusal('The file is not JSON, as "settings export" writes it.');
  }
  if (!isObject(sent)) throw new Refusal('The file must have one object of sections.');
  const wrong: string[] = [];
  const read = Object.entries(sent).map(([name, values]) => {
    if (!isSection(name)) return wrong.push(`${name}: this shop has no such section; it has ${SECTION_NAMES.join(', ')}`);
    if (!isObject(values)) return wrong.push(`${name}: a section has named fields`);
    const { data, error } = SECTIONS[name].schema.safeParse({ ...current[name], ...values });
    if (error) wrong.push(...Object.entries(wordsOf(error).errors).map(([field, text]) => `${name}.${field}: ${text}`));
    return [name, data] as const;
  });
  if (wrong.length > 0) throw new Refusal(`Nothing was imported:\n${wrong.map((line) => `  ${line}`).join('\n')}`);
  return Object.fromEntries(read.filter((section) => typeof section !== 'number')) as Partial<ShopSettings>;
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null && !Array.isArray(value);
const isSection = (name: string): name is SectionName => (SECTION_NAMES as readonly string[]).includes(name);

/** Saves the sections of a file that differ from the shop's, all or nothing, and returns their names. Throws a Refusal that names every fault. */
export async function importSettings({ db, settings }: Pick<Services, 'db' | 'settings'>, text: string): Promise<SectionName[]> {
  await settings.load();
  const sections = readFile(text, settings.current);
  const changed = SECTION_NAMES.filter((name) => sections[name] && !isDeepStrictEqual(sections[name], settings.current[name]));
  await db.transaction().execute(async (tx) => {
    for (const name of changed) {
      const [latest] = await listVersions(tx, name);
      const isStored = await storeVersion(tx, COMMAND_LINE, name, { version: (latest?.version ?? 0) + 1, values: sections[name] ?? {} });
      if (!isStored) throw new Refusal('Somebody saves these settings at the same moment. Please try again.');
    }
  });
  return changed;
}
