import { z } from 'zod';

/** What every failure looks like: a message for people and, for a bad payload, a text for each field. */
export const ProblemReply = z.object({ message: z.string(), errors: z.record(z.string(), z.string()).optional() });
