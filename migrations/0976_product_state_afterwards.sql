-- With a trigger before each update, PostgreSQL computes all generated columns again whatever changes: each sale made the words of its product's search anew.
-- So what 0690 kept before an update is kept after it; all current code sets `state` and `deleted_at` together.
create or replace trigger products_state before insert on products for each row execute function keep_product_state();

create function settle_product_state() returns trigger language plpgsql as $$
declare
  -- An earlier version deletes by `deleted_at` alone.
  settled text := case when new.state = 'live' and new.deleted_at is not null and old.state = 'live' then 'deleted' else new.state end;
begin
  update products set state = settled,
    deleted_at = case when settled = 'live' then null else coalesce(new.deleted_at, now()) end,
    state_before = case when settled = 'deleted' and old.state <> 'deleted' then old.state else new.state_before end
  where id = new.id;
  return null;
end $$;
create trigger products_state_settled after update of state, deleted_at on products for each row
  when ((new.state = 'live') <> (new.deleted_at is null)
    or (new.state = 'deleted' and old.state <> 'deleted' and new.state_before is distinct from old.state))
  execute function settle_product_state();
