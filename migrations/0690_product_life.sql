-- Where a product is in its life: live, draft, hidden, scheduled or deleted (decision 117). The shop asks for products without deleted_at, which is
-- empty only while a product is live; so neither its indexes nor the version that runs beside this one show any other.
alter table products add column state text not null default 'live';
-- When a scheduled product goes live.
alter table products add column live_from timestamptz;
-- What a deleted product was, and is again when it is brought back.
alter table products add column state_before text;

create function keep_product_state() returns trigger language plpgsql as $$
begin
  -- An earlier version deletes, and copies of earlier rows say, by deleted_at alone.
  if new.state = 'live' and new.deleted_at is not null and (tg_op = 'INSERT' or old.state = 'live') then new.state := 'deleted'; end if;
  if new.state = 'live' then new.deleted_at := null;
  elsif new.deleted_at is null then new.deleted_at := now();
  end if;
  if tg_op = 'UPDATE' and new.state = 'deleted' and old.state <> 'deleted' then new.state_before := old.state; end if;
  return new;
end $$;
create trigger products_state before insert or update of state, deleted_at on products for each row execute function keep_product_state();
