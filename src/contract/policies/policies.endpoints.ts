import { endpoint } from '#contract/platform/endpoint.ts';
import * as schema from './policies.schema.ts';

export const readPolicy = endpoint('GET /api/policies/:policy', {
  role: 'visitor',
  summary: 'Read the terms, the privacy, the shipping or the refund policy',
  params: schema.ByPolicy,
  query: schema.PolicyQuery,
  reply: schema.Policy,
});
