-- What a product has when it becomes a set is booked out: the ledger says why.
create or replace function product_stock_moved() returns trigger language plpgsql as $$
declare
  had integer := case when old.set_parts = '' then old.count_in_stock else 0 end;
  has integer := case when new.set_parts = '' then new.count_in_stock else 0 end;
  cause text := coalesce(current_setting('shop.stock_cause', true), '');
  own jsonb := coalesce(nullif(cause, ''), '{}');
begin
  if had = has then return null; end if;
  if old.set_parts = '' and new.set_parts <> '' then
    own := own || jsonb_build_object('note', concat_ws(': ', 'Became a set', nullif(own ->> 'note', '')));
    perform set_config('shop.stock_cause', own::text, true);
  end if;
  perform record_stock(new.id, null, has - had, has);
  perform set_config('shop.stock_cause', cause, true);
  return null;
end $$;
