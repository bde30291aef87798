import { z } from 'zod';
import { isPostcodeOrFirstHalf } from './areas.ts';
import { LOADS } from './delivery-classes.ts';
import { NATIONS } from './nation.ts';

/** First and last day of arrival, `YYYY-MM-DD` in the shop's time. */
export const DeliveryWindow = z.object({ from: z.string(), to: z.string() });

const Windows = z.object({ 'england-and-wales': DeliveryWindow, scotland: DeliveryWindow, 'northern-ireland': DeliveryWindow });

export const DeliveryQuery = z.object({
  postcode: z
    .string()
    .max(20, 'Enter a UK postcode, such as IV1 1AA')
    .refine(isPostcodeOrFirstHalf, 'Enter a UK postcode, such as IV1 1AA')
    .optional()
    .describe('A British postcode or its first half; without it, the days of most of the country'),
  products: z
    .string()
    .max(4_000)
    .optional()
    .describe('Ids of the pieces of the order, separated by commas; without them, days of pieces that leave at once'),
});

/** Delivery windows of an order placed now, by shipping option and nation. */
export const Delivery = z.object({
  options: z.array(
    z.object({
      id: z.string(),
      windows: Windows,
      /** The days that can be chosen where the postcode lies, `YYYY-MM-DD`; none unless the owner has allowed it. */
      days: z.array(z.string()),
    }),
  ),
  /** The postcode that was asked for; empty without one. */
  postcode: z.string(),
  /** The nation of the postcode. */
  nation: z.enum(NATIONS),
  /** What is different about the area of the postcode; null where nothing is, and without a postcode. */
  area: z.object({ surcharge: z.int(), extraDays: z.int(), without: z.array(z.string()), refusal: z.string() }).nullable(),
  /** The largest surcharge and the most extra days of any area, for customers who have not entered a postcode. */
  most: z.object({ surcharge: z.int(), extraDays: z.int() }),
  /** The query's `products`, or an empty text. */
  products: z.string(),
  /** How these products travel together; null without products, and where each method takes all pieces. */
  load: z.enum(LOADS).nullable(),
  /** The first working day on which all of these products are ready, `YYYY-MM-DD`; null if they can be dispatched now. */
  leaves: z.string().nullable(),
  /** ISO time of the next cut-off, when the windows change. */
  until: z.string(),
});
