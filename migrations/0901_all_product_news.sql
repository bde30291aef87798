-- All products of a change are told to webhooks, however many they are: 0897 stopped after a thousand.
create or replace function products_to_webhooks() returns trigger language plpgsql as $$
begin
  if is_webhook_wanted('product') then
    perform tell_webhooks('product', array_agg(jsonb_build_object('product', id)))
    from (
      select distinct unnest(edited) as id from added where edited is not null
      union all
      select null::uuid where exists (select from added where edited is null and products is null and not settings)
    ) as changed having count(*) > 0;
  end if;
  return null;
end $$;
