import { z } from 'zod';

const OrderMailHead = z.object({
  _id: z.string(),
  to: z.string(),
  subject: z.string(),
  sentAt: z.string(),
});
export const OrderMails = z.object({ mails: z.array(OrderMailHead).describe('The latest first') });
export type OrderMails = z.infer<typeof OrderMails>;
export const OrderMail = OrderMailHead.extend({
  text: z.string(),
  html: z.string(),
  documents: z.array(z.object({ _id: z.string(), number: z.string() })).describe('Invoices and credit notes that went with it as PDF'),
});
export type OrderMail = z.infer<typeof OrderMail>;
