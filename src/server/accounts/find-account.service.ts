import type { Customer } from '#server/context/context.ts';
import { hasEmail } from '#server/platform/database/arrays.ts';
import type { Db } from '#server/platform/database/connect.ts';

/** An account, without a proof that somebody is signed in to it. */
export type Account = Pick<Customer, '_id' | 'name' | 'email'>;

/** The account with an email address, in any case. */
export const findAccount = (db: Db, email: string): Promise<(Account & Pick<Customer, 'isAdmin'>) | undefined> =>
  db.selectFrom('users').select(['id as _id', 'name', 'email', 'isAdmin']).where(hasEmail(email)).executeTakeFirst();
