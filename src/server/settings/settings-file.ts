import { isDeepStrictEqual } from 'node:util';
import { wordsOf } from '#contract/platform/validation-messages.ts';
import { fieldsOf, SECTION_NAMES, SECTIONS, type SectionName, type ShopSettings } from '#contract/settings/sections.schema.ts';
import { COMMAND_LINE } from '#server/context/audit.ts';
import type { Services } from '#server/context/services.ts';
import { listVersions, storeVersion } from './settings-loader.ts';
import { withStoredPictures } from './settings-pictures.ts';

/** Reads the sections of a file; a field that the file leaves out keeps its value. Throws an Error for the operator that names every fault, as `shop.dark: …`. */
async function readSections({ settings, pictures }: Pick<Services, 'settings' | 'pictures'>, text: string): Promise<Partial<ShopSettings>> {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    throw new Error('The file is not JSON, as "settings export" writes it.');
  }
  if (!isObject(parsed)) throw new Error('The file must have one object of sections.');
  const faults: string[] = [];
  const sections: Partial<Record<SectionName, unknown>> = {};
  for (const [name, values] of Object.entries(parsed)) {
    if (!isSection(name)) faults.push(`${name}: this shop has no such section; it has ${SECTION_NAMES.join(', ')}`);
    else if (!isObject(values)) faults.push(`${name}: a section has named fields`);
    else {
      const refuse = (field: string, fault: string) => faults.push(`${name}.${field}: ${fault}`);
      const fieldNames = Object.keys(fieldsOf(name));
      for (const field of Object.keys(values))
        if (!fieldNames.includes(field))
          refuse(field, `this shop has no such setting; “${SECTIONS[name].title}” has ${fieldNames.join(', ')}`);
      const stored = await withStoredPictures({ pictures }, name, { ...settings.current[name], ...values }, refuse);
      const { data, error } = SECTIONS[name].schema.safeParse(stored);
      for (const [field, fault] of Object.entries(error ? wordsOf(error).errors : {})) refuse(field, fault);
      sections[name] = data;
    }
  }
  if (faults.length > 0) throw new Error(`Nothing was imported:\n${faults.map((line) => `  ${line}`).join('\n')}`);
  return sections as Partial<ShopSettings>;
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null && !Array.isArray(value);
const isSection = (name: string): name is SectionName => (SECTION_NAMES as readonly string[]).includes(name);

/** Saves the sections of a file that differ from the shop's, all or nothing, and returns their names. Throws an Error for the operator that names every fault. */
export async function importSettings(services: Pick<Services, 'db' | 'settings' | 'pictures'>, text: string): Promise<SectionName[]> {
  const { db, settings } = services;
  await settings.load();
  const sections = await readSections(services, text);
  const changed = SECTION_NAMES.filter((name) => sections[name] && !isDeepStrictEqual(sections[name], settings.current[name]));
  await db.transaction().execute(async (tx) => {
    for (const name of changed) {
      const [latest] = await listVersions(tx, name);
      const version = (latest?.version ?? 0) + 1;
      const isStored = await storeVersion(tx, COMMAND_LINE, name, {
        version,
        values: sections[name] ?? {},
        before: settings.current[name],
      });
      if (!isStored) throw new Error('Somebody else is saving these settings right now. Please try again.');
    }
  });
  return changed;
}
