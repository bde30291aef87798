import { z } from 'zod';
import { LinePieces, Pieces, SeenRevision } from '#contract/orders/pieces.schema.ts';
import { calendarDay, oneLine } from '#contract/platform/text.schema.ts';
import { CARRIER_LENGTH } from './carriers.ts';

const WRONG_NUMBER = 'A tracking number has letters, digits, spaces and hyphens only, 40 at most.';
const WRONG_LINK = 'The link must begin with https:// and name a site.';
const WRONG_DAY = 'Enter the day as YYYY-MM-DD.';
/** An https URL without user info, since `https://royalmail.com@example.org` leads to example.org. */
const LINK = /^(https:\/\/[a-z\d-]+(\.[a-z\d-]+)+(:\d{1,5})?([/?#][^\s<>"\\]*)?)?$/i;

/** A day as `YYYY-MM-DD`; null for none. */
const OptionalDay = z.preprocess(
  (value: string | null | undefined) => (value === '' ? null : (value ?? null)),
  calendarDay(WRONG_DAY).nullable().default(null),
);

const orEmpty = (line: z.ZodString) => line.nullish().transform((value) => value ?? '');

/** A parcel's carrier, tracking and expected day, all optional. */
export const Transport = z.object({
  /** The name of a carrier, in the owner's list or not. */
  carrier: orEmpty(oneLine('The carrier', CARRIER_LENGTH)),
  trackingNumber: orEmpty(oneLine('The tracking number', 40).regex(/^([a-z\d][a-z\d /-]*)?$/i, WRONG_NUMBER)),
  trackingLink: orEmpty(oneLine('The tracking link', 500).regex(LINK, WRONG_LINK)),
  expectedOn: OptionalDay,
});

/** A parcel to dispatch: these pieces, or everything that has not left. */
export const ParcelBody = Transport.extend({ lines: Pieces.min(1, 'Choose at least one piece.').nullish(), revision: SeenRevision });

/** A parcel that has left; `failed` if it could not be delivered. */
export const Parcel = z.object({
  _id: z.string(),
  sentAt: z.string(),
  status: z.enum(['sent', 'failed']),
  carrier: z.string(),
  carrierName: z.string(),
  trackingNumber: z.string(),
  /** As typed; `trackingUrl` is the tracking page. */
  trackingLink: z.string(),
  trackingUrl: z.string(),
  expectedOn: z.string().nullable(),
  pieces: z.array(LinePieces),
  /** Cash that its driver collects, in pence: its share of what is due in cash on delivery. */
  amountDue: z.int(),
});
export type Parcel = z.infer<typeof Parcel>;
