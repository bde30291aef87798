import { z } from 'zod';

/** First and last day of arrival, `YYYY-MM-DD` in the shop's time. */
export const DeliveryWindow = z.object({ from: z.string(), to: z.string() });

const Windows = z.object({ 'england-and-wales': DeliveryWindow, scotland: DeliveryWindow, 'northern-ireland': DeliveryWindow });

/** Delivery windows of an order placed now, by shipping option and nation. */
export const Delivery = z.object({
  options: z.array(z.object({ id: z.string(), windows: Windows })),
  /** ISO time of the next cut-off, when the windows change. */
  until: z.string(),
});
