import { z } from 'zod';

/** Neither control characters nor line breaks of any kind: what is written on a label, in a mail's greeting or into one cell. */
export const ONE_LINE = /^[^\p{Cc}\p{Zl}\p{Zp}]*$/u;

/** A name, a line of an address and the like: one line of at most `max` characters, without spaces around it. It may be empty. */
export const oneLine = (what: string, max: number) =>
  z.string(`${what} must be text`).trim().max(max, `${what} is too long`).regex(ONE_LINE, `${what} must be one line of text`);

/** The same, not empty: what is missing is said to be required. */
export const requiredLine = (what: string, max: number) =>
  z
    .string(`${what} is required`)
    .trim()
    .min(1, `${what} is required`)
    .max(max, `${what} is too long`)
    .regex(ONE_LINE, `${what} must be one line of text`);

/** What a person writes, in several lines, without spaces around it. Forms send line breaks in their own way (CR LF), which would count twice. */
export const writtenText = (what: string, max: number) =>
  z.preprocess(
    (value: string) => (typeof value === 'string' ? value.replace(/\r\n?/g, '\n') : value),
    z
      .string(`${what} must be text.`)
      .trim()
      .max(max, `${what} can have at most ${max.toLocaleString('en-GB')} characters.`),
  );
