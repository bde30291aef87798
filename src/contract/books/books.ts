import type { z } from 'zod';
import type * as schema from './books.schema.ts';

export type BookDay = z.infer<typeof schema.BookDay>;
export type BookFault = z.infer<typeof schema.BookFault>;
export type Books = z.infer<typeof schema.Books>;
export type BookEntries = z.infer<typeof schema.BookEntries>;
export type TickKind = (typeof schema.TICKS)[number];

/** The sum of a day that is ticked against the bank or the cash box. */
export const tickSum = ({ card, cash }: BookDay, kind: TickKind): number =>
  kind === 'payouts' ? card.paidOut : cash.taken - cash.refunded;
