-- What staff wrote off of what was due, in pence: a part of `waived_price` that no driver brings any more.
alter table orders add column written_off integer not null default 0;
