-- Keys with which other programs call the API. Only the hash of a key is stored.
create table api_keys (
  id uuid primary key,
  name text not null,
  key_hash bytea not null unique,
  rights text[] not null,
  made_by text not null,
  made_at timestamptz not null default now(),
  ends_at timestamptz not null,
  -- To the hour.
  used_at timestamptz
);

-- Addresses of other programs that are told of changes.
create table webhooks (
  id uuid primary key,
  address text not null,
  topics text[] not null,
  -- Sealed like the secrets of two-step login.
  secret bytea not null,
  is_on boolean not null default true,
  made_by text not null,
  made_at timestamptz not null default now()
);

-- What each webhook is still to be told, written in the transaction of the change. A job makes messages of it.
create table webhook_news (
  id bigint generated always as identity primary key,
  webhook_id uuid not null references webhooks on delete cascade,
  topic text not null,
  item jsonb not null,
  at timestamptz not null default now()
);

create index webhook_news_webhook on webhook_news (webhook_id, id);

-- The messages, sent and waiting.
create table webhook_messages (
  id uuid primary key,
  webhook_id uuid not null references webhooks on delete cascade,
  topic text not null,
  items jsonb not null,
  made_at timestamptz not null default now(),
  attempts integer not null default 0,
  -- What came of the last attempt.
  tried_at timestamptz,
  status integer,
  problem text not null default '',
  sent_at timestamptz
);

create index webhook_messages_webhook on webhook_messages (webhook_id, made_at desc, id desc);
create index webhook_messages_made_at on webhook_messages (made_at);

-- Notes news for the webhooks that want them, and queues the job that sends them. One job for each webhook waits at a time.
create function tell_webhooks(of_topic text, of_items jsonb[]) returns void language sql as $$
  with told as (
    insert into webhook_news (webhook_id, topic, item)
    select webhooks.id, of_topic, item from webhooks cross join unnest(of_items) as item where is_on and of_topic = any(topics)
    returning webhook_id
  ), queued as (
    insert into jobs (name, lane, key, payload)
    select distinct 'packWebhook', 'webhooks', 'webhook ' || webhook_id, jsonb_build_object('webhookId', webhook_id) from told
    on conflict (key) where taken_by is null do nothing
    returning id
  )
  select pg_notify('jobs', '') from queued limit 1
$$;

create function is_webhook_wanted(of_topic text) returns boolean language sql stable as $$
  select exists (select from webhooks where is_on and of_topic = any(topics))
$$;

create function order_events_to_webhooks() returns trigger language plpgsql as $$
begin
  if is_webhook_wanted('order') or is_webhook_wanted('return') then
    perform tell_webhooks(case when e.kind like 'return %' then 'return' else 'order' end,
      array_agg(jsonb_build_object('order', o.id, 'reference', o.reference, 'event', e.kind) order by e.id))
    from added e join orders o on o.id = e.order_id group by e.kind like 'return %';
  end if;
  return null;
end $$;
create trigger order_events_to_webhooks after insert on order_events referencing new table as added
  for each statement execute function order_events_to_webhooks();

create function stock_to_webhooks() returns trigger language plpgsql as $$
begin
  if is_webhook_wanted('stock') then
    perform tell_webhooks('stock',
      array_agg(jsonb_build_object('product', product_id, 'size', size, 'change', change, 'left', balance, 'reason', reason) order by id)) from added;
  end if;
  return null;
end $$;
create trigger stock_movements_to_webhooks after insert on stock_movements referencing new table as added
  for each statement execute function stock_to_webhooks();

-- `edited` names the products of most changes; a row without any names says that anything may have changed.
create function products_to_webhooks() returns trigger language plpgsql as $$
begin
  if is_webhook_wanted('product') then
    perform tell_webhooks('product', array_agg(jsonb_build_object('product', id)))
    from (
      select distinct unnest(edited) as id from added where edited is not null
      union all select null::uuid from added where edited is null and products is null and not settings limit 1000
    ) as changed having count(*) > 0;
  end if;
  return null;
end $$;
create trigger catalogue_changes_to_webhooks after insert on catalogue_changes referencing new table as added
  for each statement execute function products_to_webhooks();
