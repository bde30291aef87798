-- What staff kept of the price of pieces that were cancelled or came back, in pence: it stays with the shop when the rest is cancelled.
alter table orders add column kept_price integer not null default 0;
