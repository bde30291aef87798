-- The log of the back office: also what is about no single thing, and from which address it was done.
alter table audit_entries alter column entity_id drop not null;
alter table audit_entries add column from_address text;
alter table audit_entries drop constraint audit_entries_entity_check;
alter table audit_entries
  add constraint audit_entries_entity_check
  check (entity in ('product', 'user', 'order', 'promotion', 'stock', 'settings', 'login', 'export')) not valid;

-- Old entries of the log are deleted, which an erasure may do, too.
create or replace function refuse_change() returns trigger language plpgsql as $$
begin
  if current_setting('shop.erasing', true) = 'on' then
    return case tg_op when 'DELETE' then old else new end;
  end if;
  raise exception '% is append-only', coalesce(pg_partition_root(tg_relid), tg_relid::regclass);
end $$;
