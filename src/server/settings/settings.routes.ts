import * as settings from '#contract/settings/settings.endpoints.ts';
import { type Route, route } from '#server/platform/http/route.ts';
import { addPicture, previewText, readSection, saveSection } from './settings.service.ts';

/** What the owner sets on `/admin/settings`. */
export const settingsRoutes: readonly Route[] = [
  route(settings.readSettings, ({ params, who }, ctx) => readSection(ctx, who, params.section)),
  route(settings.addSettingsPicture, ({ params, body, who }, ctx) => addPicture(ctx, who, params.section, body)),
  route(settings.previewText, ({ params, body, who }, ctx) => previewText(ctx, who, params.section, body)),
  route(settings.saveSettings, ({ params, body, who }, ctx) => saveSection(ctx, who, params.section, body)),
];
