import * as api from '#contract/office/office.endpoints.ts';
import { type Route, route } from '#server/platform/http/route.ts';
import { readToday, retryJob } from './today.service.ts';

export const officeRoutes: readonly Route[] = [
  route(api.readToday, ({ who }, { db }) => readToday(db, who)),
  route(api.retryJob, ({ params, who }, { db }) => retryJob(db, who, params.id)),
];
