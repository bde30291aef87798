import { createHmac, timingSafeEqual } from 'node:crypto';

/** RFC 6238 as all apps implement it: HMAC-SHA-1, 30 s steps, 6 digits. */
const STEP_SECONDS = 30;
const DIGITS = 6;
/** Accepted clock drift, in steps either way. */
const DRIFT = 1;

/** The time step of a moment in milliseconds. */
export const stepAt = (ms: number): number => Math.floor(ms / 1_000 / STEP_SECONDS);

/** The code of a step (RFC 4226, section 5.3). */
export function codeOf(secret: Buffer, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const digest = createHmac('sha1', secret).update(counter).digest();
  const offset = (digest.at(-1) ?? 0) & 0x0f;
  const number = digest.readUInt32BE(offset) & 0x7f_ff_ff_ff;
  return String(number % 10 ** DIGITS).padStart(DIGITS, '0');
}

/** The last step accepted at a moment in milliseconds. */
export const latestStep = (ms: number): number => stepAt(ms) + DRIFT;

/** The step within the drift whose code this is; undefined if none. */
export function matchingStep(secret: Buffer, code: string, ms: number): number | undefined {
  const steps = Array.from({ length: 2 * DRIFT + 1 }, (_, index) => stepAt(ms) - DRIFT + index);
  const typed = Buffer.from(code);
  return steps.find((step) => typed.length === DIGITS && timingSafeEqual(Buffer.from(codeOf(secret, step)), typed));
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** RFC 4648 without padding, the format of authenticator apps. */
export function base32(bytes: Buffer): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  return (bits.match(/.{1,5}/g) ?? []).map((group) => ALPHABET[Number.parseInt(group.padEnd(5, '0'), 2)]).join('');
}

/** The `otpauth:` URL for the app; `issuer` is the shop's name. */
export function otpauthUrl(secret: Buffer, email: string, issuer: string): string {
  const query = new URLSearchParams({
    secret: base32(secret),
    issuer,
    algorithm: 'SHA1',
    digits: String(DIGITS),
    period: String(STEP_SECONDS),
  });
  // Apps read `+` literally.
  return `otpauth://totp/${encodeURIComponent(issuer)}:${encodeURIComponent(email)}?${query.toString().replaceAll('+', '%20')}`;
}
