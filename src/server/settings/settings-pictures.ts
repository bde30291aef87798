import { pictureId, pictureUrl } from '#contract/catalogue/pictures.ts';
import { isProblem } from '#contract/platform/problem.ts';
import { type PictureRule, picturesIn, type SectionName, type ShopSettings } from '#contract/settings/sections.schema.ts';
import type { Services } from '#server/context/services.ts';
import { pictureIdOf } from '#server/gateways/pictures.ts';

type Values = Record<string, unknown>;

/** Stores a picture and returns its URL. Throws 413 or 415 if it does not suit the field, and 503 if it cannot be stored. */
export async function storePicture(
  { pictures }: Pick<Services, 'pictures'>,
  { isMark, ...size }: PictureRule,
  bytes: Buffer,
  filename: string,
): Promise<string> {
  const url = await pictures.add(bytes, filename, size);
  if (isMark) await pictures.makeMark(pictureId(url) ?? '');
  return url;
}

const DATA_URL_PREFIX = 'data:image/webp;base64,';

/** All settings, with their pictures as data URLs, for a file. */
export async function settingsForFile({ pictures, settings }: Pick<Services, 'pictures' | 'settings'>): Promise<ShopSettings> {
  const sections: Record<string, Values> = structuredClone(settings.current);
  for (const [section, values] of Object.entries(sections))
    for (const { holder, key } of picturesIn(section as SectionName, values)) {
      const bytes = await pictures.master(pictureId(String(holder[key])) ?? '');
      if (bytes) holder[key] = DATA_URL_PREFIX + bytes.toString('base64');
    }
  return sections as ShopSettings;
}

/** The values of a section in a file with its pictures stored. A picture that the shop has already keeps its URL. */
export async function withStoredPictures(
  services: Pick<Services, 'pictures'>,
  section: SectionName,
  values: Values,
  refuse: (field: string, text: string) => void,
): Promise<Values> {
  const stored = structuredClone(values);
  for (const { path, rule, holder, key } of picturesIn(section, stored)) {
    const value = holder[key];
    if (typeof value !== 'string' || value === '') continue;
    if (!value.startsWith(DATA_URL_PREFIX)) {
      const idOfUrl = pictureId(value);
      if (idOfUrl && !(await services.pictures.master(idOfUrl))) refuse(path, 'the picture is neither in the file nor stored here');
      continue;
    }
    const bytes = Buffer.from(value.slice(DATA_URL_PREFIX.length), 'base64');
    const id = pictureIdOf(bytes);
    try {
      holder[key] = (await services.pictures.master(id)) ? pictureUrl(id) : await storePicture(services, rule, bytes, 'The picture');
    } catch (error) {
      if (!isProblem(error)) throw error;
      refuse(path, error.message);
      // Empty, so that the schema does not refuse it a second time.
      holder[key] = '';
    }
  }
  return stored;
}
