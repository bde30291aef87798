import type { z } from 'zod';
import type * as schema from './phone.schema.ts';

export type PhoneQuoteBody = z.infer<typeof schema.PhoneQuoteBody>;
export type PhoneQuoteInput = z.input<typeof schema.PhoneQuoteBody>;
export type PhoneOrderBody = z.infer<typeof schema.PhoneOrderBody>;
export type PhoneOrderInput = z.input<typeof schema.PhoneOrderBody>;
export type PhoneQuote = z.infer<typeof schema.PhoneQuote>;
