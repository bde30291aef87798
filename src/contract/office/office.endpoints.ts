import { endpoint } from '#contract/platform/endpoint.ts';
import { ById, Done } from '#contract/platform/lists.schema.ts';
import * as schema from './office.schema.ts';

export const readToday = endpoint('GET /api/office/today', {
  role: 'admin',
  summary: 'Count what waits for a person, and list jobs that failed for good',
  reply: schema.Today,
});

export const retryJob = endpoint('POST /api/office/failed-jobs/:id/retry', {
  role: 'admin',
  summary: 'Queue a job that failed for good again',
  errors: [404],
  params: ById,
  reply: Done,
});
