import { z } from 'zod';
import { SECTION_NAMES } from './sections.schema.ts';

export const BySection = z.object({ section: z.enum(SECTION_NAMES) });

const Values = z.record(z.string(), z.unknown()).describe('The values of the section’s fields, by name');
const Version = z.int().min(0).describe('How often the section has been saved; 0 for the initial values');

export const SaveSectionBody = z.object({
  version: Version.describe('The version that was edited; if the server has a later one, the answer is 409'),
  values: Values,
});

export const SettingsPictureForm = z.object({
  field: z.string('Say which field the picture is for.'),
  picture: z.file('Choose a picture.').min(1, 'The file is empty.'),
});

export const SettingsPicture = z.object({ url: z.string().describe('The value for the field') });

export const PreviewBody = z.object({
  field: z.string('Say which field the text is of.').describe('A field, or in the section `mails` the name of an email'),
  value: z.unknown().describe('The text, or for an email an object of subject, before and after'),
});

export const TextPreview = z.object({
  text: z.string().describe('The text in use: the default if the field is empty'),
  html: z.string(),
  subject: z.string().optional().describe('Of a mail'),
});

export type TextPreview = z.infer<typeof TextPreview>;

export const SettingsSection = z.object({
  version: Version,
  values: Values,
  history: z
    .array(z.object({ version: Version, values: Values, at: z.string().nullable(), actor: z.string() }))
    .describe('The latest versions, newest first; version 0 has the initial values'),
});
export type SettingsSection = z.infer<typeof SettingsSection>;
