import * as api from '#contract/policies/policies.endpoints.ts';
import { type Route, route } from '#server/platform/http/route.ts';
import { readPolicy } from './policies.service.ts';

export const policyRoutes: readonly Route[] = [
  route(api.readPolicy, ({ params, query }, ctx) => readPolicy(ctx, params.policy, query.at), {
    cached: ({ params, query }) => ({ key: [params.policy, query.at ?? ''], dependsOn: ['settings'] }),
  }),
];
