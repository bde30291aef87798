import { z } from 'zod';
import { Device } from './users.schema.ts';

/** Six digits of the app, or a recovery code; spaces and hyphens do not matter. */
const SecondFactorCode = z
  .string('The code is required')
  .trim()
  .min(1, 'The code is required')
  .max(100, 'This code is wrong. Please try again.');
/** Password or code once more, whichever the refused call has asked for. */
export const ProofBody = z.object({
  password: z.string('Password is required').max(200, 'This password is wrong. Please try again.').optional(),
  code: z.string('The code is required').trim().max(100, 'This code is wrong. Please try again.').optional(),
  device: Device,
});
export const ConfirmBody = z.object({ code: SecondFactorCode });

/** `isRequired`: the shop's settings ask every administrator for one. `recoveryCodes`: how many are left. */
export const SecondFactor = z.object({
  isOn: z.boolean(),
  since: z.string().nullable(),
  recoveryCodes: z.int(),
  isRequired: z.boolean(),
});

/**
 * What an app needs, once: the secret in letters for typing, the address that is in the QR code, and the code as the path of an SVG whose view box is
 * `size` squares wide and high.
 */
export const SetUp = z.object({ secret: z.string(), address: z.string(), qr: z.object({ size: z.int(), path: z.string() }) });
/** Shown once: the shop keeps hashes. */
export const RecoveryCodes = z.object({ recoveryCodes: z.array(z.string()) });
