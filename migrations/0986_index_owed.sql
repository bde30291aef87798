-- no transaction
-- Orders of which something is to be refunded now: few.
drop index concurrently if exists orders_owed;
create index concurrently orders_owed on orders (id)
  where entitled_price > 0 and owed_price(total_price, waived_price, refunded_price, goodwill_price, disputed_price, entitled_price) > 0;
drop index concurrently if exists orders_due_back;
