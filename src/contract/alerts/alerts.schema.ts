import { z } from 'zod';
import { Email } from '#contract/accounts/users.schema.ts';

/** Asks for an email once the product is back in stock. */
export const AlertBody = z.object({
  email: Email,
  consent: z.literal(true, 'Please tick the box so that we may email you.'),
});
/** The token of a link in a mail. */
export const AlertLinkBody = z.object({ token: z.string('The link is not complete.').max(200, 'The link is not complete.') });
