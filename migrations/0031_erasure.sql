-- Histories are append-only, but for one thing: a person may ask to be forgotten. The erasing transaction says so.
create or replace function refuse_change() returns trigger language plpgsql as $$
begin
  if current_setting('shop.erasing', true) = 'on' then
    return new;
  end if;
  raise exception '% is append-only', tg_table_name;
end $$;
