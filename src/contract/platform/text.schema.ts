import { z } from 'zod';

/** Text without control characters and line breaks, for labels, greetings and cells. */
export const ONE_LINE = /^[^\p{Cc}\p{Zl}\p{Zp}]*$/u;

/** One trimmed line of at most `max` characters, such as a name; it may be empty. */
export const oneLine = (what: string, max: number) =>
  z.string(`${what} must be text`).trim().max(max, `${what} is too long`).regex(ONE_LINE, `${what} must be one line of text`);

/** One trimmed line that must not be empty. */
export const requiredLine = (what: string, max: number) =>
  z
    .string(`${what} is required`)
    .trim()
    .min(1, `${what} is required`)
    .max(max, `${what} is too long`)
    .regex(ONE_LINE, `${what} must be one line of text`);

/** Trimmed text of several lines. Forms send line breaks as CR LF, which would count twice. */
export const writtenText = (what: string, max: number) =>
  z.preprocess(
    (value: string) => (typeof value === 'string' ? value.replace(/\r\n?/g, '\n') : value),
    z
      .string(`${what} must be text.`)
      .trim()
      .max(max, `${what} can have at most ${max.toLocaleString('en-GB')} characters.`),
  );

/** A day of the calendar, such as 2026-12-04. The database knows no year 0. */
export const calendarDay = (message: string) => z.iso.date(message).refine((day) => day >= '1900', message);
