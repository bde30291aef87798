-- Of the orders of a deleted account: whether mails may have what the buyer typed, since the account had confirmed `user_email`. Unlike `is_user_email_confirmed` it
-- is false for accounts that earlier versions deleted: nobody knows whether those had.
alter table orders add column was_email_confirmed boolean not null default false;
