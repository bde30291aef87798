import { endpoint } from '#contract/platform/endpoint.ts';
import * as schema from './settings.schema.ts';

export const readSettings = endpoint('GET /api/settings/:section', {
  right: 'office',
  summary: 'Read one section of the shop’s settings, with its history',
  params: schema.BySection,
  reply: schema.SettingsSection,
});

export const addSettingsPicture = endpoint('POST /api/settings/:section/pictures', {
  right: 'change settings',
  summary: 'Upload a picture for a field of the shop’s settings; it takes effect once the section is saved',
  params: schema.BySection,
  multipart: true,
  body: schema.SettingsPictureForm,
  reply: schema.SettingsPicture,
});

export const previewText = endpoint('POST /api/settings/:section/preview', {
  right: 'office',
  summary: 'Preview a text of the shop’s settings as customers will see it',
  params: schema.BySection,
  maxBodyKb: 256,
  body: schema.PreviewBody,
  reply: schema.TextPreview,
});

export const saveSettings = endpoint('PUT /api/settings/:section', {
  right: 'change settings',
  summary: 'Save one section of the shop’s settings',
  errors: [409],
  params: schema.BySection,
  maxBodyKb: 256,
  body: schema.SaveSectionBody,
  reply: schema.SettingsSection,
});
