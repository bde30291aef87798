import { sql } from 'kysely';
import type { PhoneQuote } from '#contract/phone/phone.ts';
import type { Customer } from '#server/context/context.ts';
import { sold } from '#server/orders/rules/states.ts';
import { hasEmail } from '#server/platform/database/arrays.ts';
import type { Db } from '#server/platform/database/connect.ts';

/** An account, without a proof that somebody is signed in to it. */
export type Account = Pick<Customer, '_id' | 'name' | 'email'>;

/** The account with an email address, in any case. */
export const findAccount = (db: Db, email: string): Promise<(Account & Pick<Customer, 'isAdmin'>) | undefined> =>
  db.selectFrom('users').select(['id as _id', 'name', 'email', 'isAdmin']).where(hasEmail(email)).executeTakeFirst();

type Trust = NonNullable<PhoneQuote['customer']>['trust'];

/**
 * Whether an account is that of the mailbox of its address: it was confirmed; or something was paid or delivered under it, which a stranger would hardly do; or
 * neither.
 */
export const trustOf = sql<Trust>`case when users.is_email_confirmed then 'confirmed'
  when exists (select from orders where user_id = users.id and lower(user_email) = lower(users.email) and ${sold} and (paid_at is not null or delivered_at is not null)) then 'used'
  else 'none' end`;

/** The account for an order by phone to an email address, and how far it is trusted. */
export const findTrusted = (db: Db, email: string): Promise<(Account & { trust: Trust }) | undefined> =>
  db
    .selectFrom('users')
    .select(['id as _id', 'name', 'email', trustOf.as('trust')])
    .where(hasEmail(email))
    .executeTakeFirst();
