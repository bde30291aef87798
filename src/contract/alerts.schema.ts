import { z } from 'zod';
import { Email } from './users.schema.ts';

/** “Tell me when it is back”. */
export const AlertBody = z.object({
  email: Email,
  consent: z.literal(true, 'Please tick that we may write to you.'),
});
/** The token of a link in a mail. */
export const AlertLinkBody = z.object({ token: z.string('The link is not complete.').max(200, 'The link is not complete.') });
