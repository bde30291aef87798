import type { z } from 'zod';
import { endpoint } from '#contract/platform/endpoint.ts';
import type { Done } from '#contract/platform/lists.schema.ts';
import type * as schema from './second-factor.schema.ts';

export type ProofBody = z.infer<typeof schema.ProofBody>;
export type SecondFactor = z.infer<typeof schema.SecondFactor>;
export type SetUp = z.infer<typeof schema.SetUp>;
export type RecoveryCodes = z.infer<typeof schema.RecoveryCodes>;
type Nothing = Record<never, never>;

export const proveOneself = endpoint<{ body: ProofBody }, Done>('POST', '/api/users/proof');
const URL = '/api/users/second-factor';
export const readSecondFactor = endpoint<Nothing, SecondFactor>('GET', URL);
export const beginSecondFactor = endpoint<Nothing, SetUp>('POST', URL);
export const confirmSecondFactor = endpoint<{ body: { code: string } }, RecoveryCodes>('POST', `${URL}/confirm`);
export const removeSecondFactor = endpoint<Nothing, Done>('DELETE', URL);
