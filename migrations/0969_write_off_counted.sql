-- What of `written_off` was counted for pieces that were cancelled or came back, in pence: their price was not waived or refunded once more.
alter table orders add column write_off_counted integer not null default 0;
