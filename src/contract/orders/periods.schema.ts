import type { z } from 'zod';
import { calendarDay } from '#contract/platform/text.schema.ts';
import { daysIn, type Period } from './periods.ts';

export const Day = calendarDay('Choose a day.');

/** The fields of a period. */
export const PERIOD = { from: Day, to: Day };

/** Refuses a period that ends before it begins, or that is longer than a number of days. */
export const limitedTo = (most: number, message: string) => (period: Period, context: z.RefinementCtx) => {
  const refuse = (text: string) => context.addIssue({ code: 'custom', message: text, path: ['to'] });
  if (period.from > period.to) refuse('The last day is before the first.');
  if (daysIn(period) > most) refuse(message);
};
