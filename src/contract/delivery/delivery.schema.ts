import { z } from 'zod';

/** The first and the last day on which something arrives, as `YYYY-MM-DD` in the shop's time. */
export const DeliveryWindow = z.object({ from: z.string(), to: z.string() });

const Windows = z.object({ 'england-and-wales': DeliveryWindow, scotland: DeliveryWindow, 'northern-ireland': DeliveryWindow });

/** When an order placed now would arrive, by the way it is sent and where it goes. */
export const Delivery = z.object({
  options: z.array(z.object({ id: z.enum(['standard', 'express']), windows: Windows })),
  /** ISO time of the next cut-off: from then on the days are others. */
  until: z.string(),
});
