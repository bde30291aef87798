import { z } from 'zod';
import { POLICY_NAMES } from './policies.ts';

export const ByPolicy = z.object({ policy: z.enum(POLICY_NAMES) });

export const PolicyQuery = z.object({
  at: z.iso
    .datetime('Write a time, such as 2026-11-24T09:30:00.000Z.')
    .refine((at) => at >= '2000', 'Write a time, such as 2026-11-24T09:30:00.000Z.')
    .optional()
    .describe('The text as it was at that time'),
});

export const Policy = z.object({
  title: z.string(),
  description: z.string(),
  sections: z.array(z.object({ id: z.string(), heading: z.string() })),
  html: z.string().describe('Headings, paragraphs, lists, tables, links and emphasis, without any other markup'),
  note: z.string().describe('When it was last changed, in words'),
});
