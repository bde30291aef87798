import { z } from 'zod';
import { Day, limitedTo, PERIOD } from '#contract/orders/periods.schema.ts';

/** The most days of one report: a quarter. */
const MOST_DAYS = 92;

const count = z.int();
const pence = z.int();

export const BooksQuery = z.object(PERIOD).superRefine(limitedTo(MOST_DAYS, `Choose ${MOST_DAYS} days at most.`));

/** The sums of a day that staff tick off: payouts against the bank, cash against the cash box. */
export const TICKS = ['payouts', 'cash'] as const;

/** A sum that was ticked off, and by whom. */
const Tick = z.object({
  amount: pence.describe('The sum when it was ticked'),
  actor: z.string(),
  at: z.string(),
});

/** The books of one day, in the shop's time zone. */
export const BookDay = z.object({
  day: z.string(),
  card: z.object({
    orders: count.describe('Orders paid by card, by the shop’s own records'),
    due: pence.describe('Their sum'),
    taken: pence.describe('Charged, by the provider’s records'),
    refunded: pence.describe('Refunds, less those that failed'),
    disputed: pence.describe('Taken back for disputes, less those that were won'),
    fees: pence,
    other: pence.describe('Corrections, reserves and the like'),
    paidOut: pence,
  }),
  cash: z.object({
    orders: count.describe('Orders with cash recorded on the day'),
    taken: pence,
    refunded: pence.describe('Paid back in cash'),
  }),
  driver: z
    .object({ delivered: count, due: pence, taken: pence, open: count.describe('Delivered, and no cash recorded yet') })
    .describe('Cash orders that were delivered on the day'),
  ticks: z.object({ payouts: Tick.nullable(), cash: Tick.nullable() }),
});

/** Something that does not agree between the shop's records and the provider's. */
export const BookFault = z.object({
  text: z.string(),
  advice: z.string().describe('What to do about it'),
  path: z.string().describe('The screen that shows it'),
  foundAt: z.string(),
});

export const Books = z.object({
  days: z.array(BookDay).describe('Newest first'),
  faults: z.array(BookFault),
  checkedAt: z.string().nullable().describe('When the provider was last read and everything compared'),
});

export const BookEntriesQuery = z.object({ day: Day });

/** The most entries of a day that the screen shows; the CSV has all. */
export const ENTRIES_SHOWN = 100;

const BookEntry = z.object({
  _id: z.string(),
  kind: z.string(),
  at: z.string(),
  amount: pence,
  fee: pence,
  sourceId: z.string().describe('The charge, refund, dispute or payout at the provider; empty for others'),
  paymentId: z.string().nullable(),
  order: z.object({ _id: z.string(), reference: z.string() }).nullable(),
});
export const BookEntries = z.object({ entries: z.array(BookEntry).describe('Newest first'), total: count });

export const TickBody = z.object({
  day: Day,
  kind: z.enum(TICKS, 'Choose payouts or cash.'),
  isTicked: z.boolean('isTicked must be true or false'),
  amount: z.int('The amount must be in whole pence.').describe('The sum as the screen showed it'),
});
