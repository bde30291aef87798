import type { z } from 'zod';
import type * as schema from './policies.schema.ts';

export type Policy = z.infer<typeof schema.Policy>;
export type PolicyName = 'terms' | 'privacy' | 'shipping' | 'refunds';

/** The page of each policy. */
export const POLICY_PATHS: Readonly<Record<PolicyName, string>> = {
  terms: '/legal',
  privacy: '/privacy',
  shipping: '/shipping-policy',
  refunds: '/refund-policy',
};
export const POLICY_NAMES = Object.keys(POLICY_PATHS) as [PolicyName, ...PolicyName[]];
