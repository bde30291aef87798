-- Until when the provider was asked what became of its payment sessions (`payments/payments.jobs.ts`). A shop that comes back from a backup, or could
-- not ask for days, goes on from there.
create table payment_watch (
  only_row boolean primary key default true check (only_row),
  asked_until timestamptz not null
);
