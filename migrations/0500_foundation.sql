create extension if not exists pg_trgm;

-- For tables that are only added to. The message names the table itself, not the partition of the row.
create function refuse_change() returns trigger language plpgsql as $$
begin
  if current_setting('shop.erasing', true) = 'on' then
    return new;
  end if;
  raise exception '% is append-only', coalesce(pg_partition_root(tg_relid), tg_relid::regclass);
end $$;

-- A text in lower case and without accents, as searches compare it. ASCII texts skip the normalisation.
create function folded(field text) returns text language sql immutable parallel safe
  return case when octet_length(field) = char_length(field) then lower(field)
    else regexp_replace(lower(normalize(field, NFKD)), '[\u0300-\u036f]', '', 'g') end;

-- Attempts counted within a window of time, shared by all processes.
create table rate_limits (
  key text primary key,
  tries integer not null,
  resets_at timestamptz not null
);

create index rate_limits_resets_at on rate_limits (resets_at);

-- The oldest version of the shop that can serve this database, named by the newest migration that it must know. A version that knows fewer
-- migrations than the database has serves if it knows this one, and else refuses to start (docs/decisions/0050).
create table schema_compatibility (
  only_row boolean default true primary key check (only_row),
  oldest_migration text not null
);

-- Who changed what in the back office.
create table audit_entries (
  id bigint generated always as identity primary key,
  at timestamptz not null default now(),
  actor_id uuid,
  actor_name text not null,
  entity text not null check (entity in ('product', 'user', 'order')),
  entity_id uuid not null,
  change text not null
);

create index audit_entries_entity on audit_entries (entity, entity_id, id desc);

create trigger audit_entries_append_only before update on audit_entries for each row execute function refuse_change();
create trigger audit_entries_not_emptied before truncate on audit_entries for each statement execute function refuse_change();
create trigger audit_entries_stay before delete on audit_entries for each row execute function refuse_change();

-- A version from before this file cannot serve a database that was made with it.
insert into schema_compatibility (oldest_migration) values ('0500_foundation');
