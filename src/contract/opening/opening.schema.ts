import { z } from 'zod';
import { Email } from '#contract/accounts/users.schema.ts';

/** What a shop needs before it opens, in the order in which it is best done. */
export const OPENING_STEPS = [
  'market',
  'shop',
  'company',
  'tax',
  'contact',
  'delivery',
  'policies',
  'payment',
  'webhook',
  'mail',
  'backup',
  'secondFactor',
  'demo',
] as const;
export type OpeningStepName = (typeof OPENING_STEPS)[number];

const OpeningStep = z.object({
  name: z.enum(OPENING_STEPS),
  isDone: z.boolean(),
  text: z.string().describe('Its current state, in a sentence or two'),
});
export type OpeningStep = z.infer<typeof OpeningStep>;

export const Opening = z.object({ steps: z.array(OpeningStep) });

export const TestMailBody = z.object({ email: Email });

export const MailArrivedBody = z.object({ token: z.string().min(1).max(100) });

export const DemoLeft = z.object({
  goes: z.array(z.string()).describe('Products of the demo that nobody has changed or ordered, by name'),
  stays: z.array(z.object({ name: z.string(), why: z.string() })).describe('Products of the demo that are in use'),
  accounts: z.array(z.object({ email: z.string(), goes: z.boolean(), why: z.string() })),
});
export type DemoLeft = z.infer<typeof DemoLeft>;
