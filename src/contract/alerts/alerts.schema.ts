import { z } from 'zod';
import { Email } from '#contract/accounts/users.schema.ts';

/** “Tell me when it is back”. */
export const AlertBody = z.object({
  email: Email,
  consent: z.literal(true, 'Please tick the box so that we may email you.'),
});
/** The token of a link in a mail. */
export const AlertLinkBody = z.object({ token: z.string('The link is not complete.').max(200, 'The link is not complete.') });
