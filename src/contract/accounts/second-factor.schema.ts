import { z } from 'zod';
import { Device } from './users.schema.ts';

/** An app code or a recovery code. */
const SecondFactorCode = z
  .string('The code is required')
  .trim()
  .min(1, 'The code is required')
  .max(100, 'This code is wrong. Please try again.');
/** Re-authentication: a password or a code, whichever the refused call asked for. */
export const ProofBody = z.object({
  password: z.string('Password is required').max(200, 'This password is wrong. Please try again.').optional(),
  code: z.string('The code is required').trim().max(100, 'This code is wrong. Please try again.').optional(),
  device: Device,
});
export const ConfirmBody = z.object({ code: SecondFactorCode });

export const SecondFactor = z.object({
  isOn: z.boolean(),
  since: z.string().nullable(),
  recoveryCodes: z.int().describe('How many are left'),
  isRequired: z.boolean().describe('By the shop’s settings'),
});

/** Shown once. */
export const SetUp = z.object({
  secret: z.string().describe('For typing into the app'),
  address: z.string().describe('The `otpauth:` URL'),
  qr: z.object({ size: z.int(), path: z.string() }).describe('The URL’s QR code, an SVG path in a view box of `size` × `size`'),
});
/** Shown once: the shop only stores hashes. */
export const RecoveryCodes = z.object({ recoveryCodes: z.array(z.string()) });
