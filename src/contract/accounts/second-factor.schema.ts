import { z } from 'zod';
import { Device } from './users.schema.ts';

/** An app code or a recovery code. */
const SecondFactorCode = z
  .string('The code is required')
  .trim()
  .min(1, 'The code is required')
  .max(100, 'This code is wrong. Please try again.');
/** Re-authentication, by password or code as the refused call has asked. */
export const ProofBody = z.object({
  password: z.string('Password is required').max(200, 'This password is wrong. Please try again.').optional(),
  code: z.string('The code is required').trim().max(100, 'This code is wrong. Please try again.').optional(),
  device: Device,
});
export const ConfirmBody = z.object({ code: SecondFactorCode });

/** `isRequired`: by the shop's settings. `recoveryCodes`: number left. */
export const SecondFactor = z.object({
  isOn: z.boolean(),
  since: z.string().nullable(),
  recoveryCodes: z.int(),
  isRequired: z.boolean(),
});

/** Shown once: the secret for typing, the `otpauth:` URL, and its QR code as an SVG path in a view box of `size` × `size`. */
export const SetUp = z.object({ secret: z.string(), address: z.string(), qr: z.object({ size: z.int(), path: z.string() }) });
/** Shown once: the shop keeps hashes. */
export const RecoveryCodes = z.object({ recoveryCodes: z.array(z.string()) });
