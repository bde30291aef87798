import { z } from 'zod';

/** The body of every failure: a message and, for an invalid payload, a text for each field. */
export const ProblemReply = z.object({ message: z.string(), errors: z.record(z.string(), z.string()).optional() });
