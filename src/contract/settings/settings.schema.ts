import { z } from 'zod';
import { SECTION_NAMES } from './sections.schema.ts';

export const BySection = z.object({ section: z.enum(SECTION_NAMES) });

const Values = z.record(z.string(), z.unknown()).describe('The values of the section’s fields, by name');
const Version = z.int().min(0).describe('How often the section has been saved; 0 while its values are those that the shop started with');

export const SaveSectionBody = z.object({
  version: Version.describe('The version that the values were changed from: a later one on the server is a 409'),
  values: Values,
});

export const SettingsPictureForm = z.object({
  field: z.string('Say which field the picture is for.'),
  picture: z.file('Choose a picture.').min(1, 'The file is empty.'),
});

export const SettingsPicture = z.object({ url: z.string().describe('The value for the field') });

export const PreviewBody = z.object({
  field: z.string('Say which field the text is of.').describe('A field, or in the section `mails` the name of a mail'),
  value: z.unknown().describe('The text; of a mail the object of its subject, before and after'),
});

export const TextPreview = z.object({
  text: z.string().describe('The text that counts: the default one where the field is empty'),
  html: z.string(),
  subject: z.string().optional().describe('Of a mail'),
});

export type TextPreview = z.infer<typeof TextPreview>;

export const SettingsSection = z.object({
  version: Version,
  values: Values,
  history: z
    .array(z.object({ version: Version, values: Values, at: z.string().nullable(), actor: z.string() }))
    .describe('The latest versions, newest first; version 0 has the values that the shop started with'),
});
export type SettingsSection = z.infer<typeof SettingsSection>;
