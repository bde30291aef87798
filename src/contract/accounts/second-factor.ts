import type { z } from 'zod';
import type * as schema from './second-factor.schema.ts';

export type ProofBody = z.infer<typeof schema.ProofBody>;
export type SecondFactor = z.infer<typeof schema.SecondFactor>;
export type SetUp = z.infer<typeof schema.SetUp>;
export type RecoveryCodes = z.infer<typeof schema.RecoveryCodes>;
