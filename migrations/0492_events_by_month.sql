-- The table of events becomes one of months, under the same name and with the same columns, so that the version before reads and writes it too. The
-- table so far is its oldest part, as it is: no row is copied or read, but for those of keys from elsewhere that lie above its bound.
do $$
declare
  held oid := 'order_events'::regclass;
  owner name := (select pg_get_userbyid(relowner) from pg_class where oid = held);
  grants text[] := (
    select array_agg(format('grant %s on order_events to %s%s', privilege_type,
      case grantee when 0 then 'public' else quote_ident(pg_get_userbyid(grantee)) end, case when is_grantable then ' with grant option' else '' end))
    from pg_class, aclexplode(relacl) where oid = held);
  bound uuid := (
    select substring(pg_get_constraintdef(oid) from '[0-9a-f-]{36}') from pg_constraint where conrelid = held and conname = 'order_events_oldest_keys');
  month timestamp := date_trunc('month', now() at time zone 'utc');
  last_id bigint;
  granting text;
begin
  alter table order_events rename to order_events_oldest;
  -- Read once nobody else writes any more.
  last_id := coalesce(pg_sequence_last_value('order_events_id_seq'), 0);
  if bound is null then
    bound := first_key((case when exists (select from order_events_oldest) then month + interval '1 month' else month end) at time zone 'utc');
  end if;
  drop trigger order_events_append_only on order_events_oldest;
  drop trigger order_events_stay on order_events_oldest;
  drop trigger order_events_not_emptied on order_events_oldest;
  create temp table events_from_elsewhere on commit drop as select * from order_events_oldest where order_id >= bound;
  delete from order_events_oldest where order_id >= bound;
  alter table order_events_oldest drop constraint order_events_pkey, alter column id drop identity,
    add constraint order_events_oldest_pkey primary key using index order_events_oldest_pkey;
  drop index order_events_order;

  create table order_events (
    id bigint generated always as identity,
    order_id uuid not null references orders on delete cascade,
    at timestamptz not null default now(),
    kind text not null,
    actor text not null,
    detail text not null default '',
    primary key (order_id, id)
  ) partition by range (order_id);
  execute format('alter table order_events owner to %I', owner);
  foreach granting in array coalesce(grants, '{}') loop
    execute granting;
  end loop;
  execute format('alter table order_events alter column id restart with %s', last_id + 1);
  create trigger order_events_append_only before update on order_events for each row execute function refuse_change();
  create trigger order_events_stay before delete on order_events for each row execute function refuse_change();
  create trigger order_events_not_emptied before truncate on order_events for each statement execute function refuse_change();
  execute format('alter table order_events attach partition order_events_oldest for values from (minvalue) to (%L)', bound);
  alter table order_events_oldest drop constraint order_events_oldest_keys;
  -- Keys that were not made by the shop at the time of the order, and any whose month has no part.
  create table order_events_other partition of order_events default;
  execute format('alter table order_events_other owner to %I', owner);
end $$;

-- Names the table as everybody knows it, whichever part of it a row is in.
create or replace function refuse_change() returns trigger language plpgsql as $$
begin
  if current_setting('shop.erasing', true) = 'on' then
    return new;
  end if;
  raise exception '% is append-only', coalesce(pg_partition_root(tg_relid), tg_relid::regclass);
end $$;

-- Whether something has happened to an order. Planned each time, when PostgreSQL knows the order and so the month: a plan for any order, or one for a list
-- of them, is a plan for all months, and waits for one that is moved.
create function has_event(of_order uuid, of_kind text) returns boolean language plpgsql stable as $$
declare
  has boolean;
begin
  execute 'select exists (select from order_events where order_id = $1 and kind = $2)' into has using of_order, of_kind;
  return has;
end $$;

-- The first moment whose month has no part yet, in UTC.
create function events_months_end() returns timestamptz language sql stable return (
  select key_time(max_key) from (
    select substring(pg_get_expr(relpartbound, oid) from $re$TO \('([0-9a-f-]{36})'\)$re$)::uuid as max_key
    from pg_class join pg_inherits on inhrelid = oid where inhparent = 'order_events'::regclass
  ) as parts where max_key is not null order by max_key desc limit 1
);

-- Makes the parts of this month and as many more, without gaps, and returns how many it made. What had to be kept with the others meanwhile goes
-- where it belongs.
create function make_events_months(ahead integer) returns integer language plpgsql as $$
declare
  month timestamp := events_months_end() at time zone 'utc';
  until timestamp := date_trunc('month', now() at time zone 'utc') + make_interval(months => ahead);
  owner name := (select pg_get_userbyid(relowner) from pg_class where oid = 'order_events'::regclass);
  made integer := 0;
  part text;
  first uuid;
  bound uuid;
begin
  while month <= until loop
    part := 'order_events_' || to_char(month, 'YYYY_MM');
    first := first_key(month at time zone 'utc');
    month := month + interval '1 month';
    bound := first_key(month at time zone 'utc');
    execute format('create table %I (like order_events including defaults including constraints)', part);
    execute format('alter table %I owner to %I', part, owner);
    if exists (select from order_events_other where order_id >= first and order_id < bound) then
      alter table order_events_other disable trigger order_events_stay;
      execute format('with moved as (delete from order_events_other where order_id >= %L and order_id < %L returning *) insert into %I select * from moved',
        first, bound, part);
      alter table order_events_other enable trigger order_events_stay;
    end if;
    execute format('alter table order_events attach partition %I for values from (%L) to (%L)', part, first, bound);
    made := made + 1;
  end loop;
  return made;
end $$;

select make_events_months(3);
insert into order_events overriding system value select * from events_from_elsewhere;
