-- The promised days are one day, which the customer has chosen.
alter table orders add column is_day_chosen boolean not null default false;
alter table orders add constraint orders_chosen_day check (not is_day_chosen or delivery_from = delivery_to) not valid;
