-- Histories are append-only: what was written is neither changed nor taken out, short of the erasing of a person.
create or replace function refuse_change() returns trigger language plpgsql as $$
begin
  if current_setting('shop.erasing', true) = 'on' and tg_op = 'UPDATE' then
    return new;
  end if;
  raise exception '% is append-only', tg_table_name;
end $$;
create trigger order_events_stay before delete on order_events for each row execute function refuse_change();
create trigger order_events_not_emptied before truncate on order_events for each statement execute function refuse_change();
create trigger audit_entries_stay before delete on audit_entries for each row execute function refuse_change();
create trigger audit_entries_not_emptied before truncate on audit_entries for each statement execute function refuse_change();
