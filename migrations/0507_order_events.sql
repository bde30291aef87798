-- The lowest key of orders made from this moment on.
create function first_key(at timestamptz) returns uuid language sql immutable strict parallel safe return (
  rpad(lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0'), 32, '0')::uuid
);

-- The moment that a key begins with.
create function key_time(key uuid) returns timestamptz language sql immutable strict parallel safe return (
  to_timestamp(('x' || lpad(left(replace(key::text, '-', ''), 12), 16, '0'))::bit(64)::bigint / 1000.0)
);

-- What happened to an order, in order; nothing is ever changed or taken out.
create table order_events (
  id bigint generated always as identity,
  order_id uuid not null constraint order_events_order_id_fkey1 references orders on delete cascade,
  at timestamptz not null default now(),
  kind text not null,
  actor text not null,
  detail text not null default '',
  primary key (order_id, id)
) partition by range (order_id);

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

create trigger order_events_append_only before update on order_events for each row execute function refuse_change();
create trigger order_events_not_emptied before truncate on order_events for each statement execute function refuse_change();
create trigger order_events_stay before delete on order_events for each row execute function refuse_change();

-- Everything before the first month; any key that no month has goes to the default part.
do $$ begin
  execute format('create table order_events_oldest partition of order_events for values from (minvalue) to (%L)', first_key(date_trunc('month', now() at time zone 'utc') at time zone 'utc'));
end $$;
create table order_events_other partition of order_events default;
select make_events_months(3);
