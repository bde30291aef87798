-- What was sold of each product in the last thirty days, so that the best sellers are the first rows of an index, however many products there are.
-- It is what `sales_pieces` come to from `sales_window.since` on. Triggers keep it so whoever writes there, also the version of the shop before,
-- which knows nothing of it; the job that adds up sales moves the day on. Without a row they are all that was ever sold: nothing, as yet.
create table sales_window (
  is_only boolean primary key default true check (is_only),
  since date not null
);
create table sales_best_sellers (
  product_id uuid primary key,
  pieces bigint not null,
  revenue bigint not null
);

create function sum_pieces_changed() returns trigger language plpgsql as $$
declare
  first_day date := coalesce((select since from sales_window), '-infinity');
begin
  if tg_op <> 'DELETE' then
    insert into sales_best_sellers as kept (product_id, pieces, revenue)
    select product_id, sum(pieces), sum(revenue) from added where day >= first_day group by 1 order by 1
    on conflict (product_id) do update set pieces = kept.pieces + excluded.pieces, revenue = kept.revenue + excluded.revenue;
  end if;
  if tg_op <> 'INSERT' then
    update sales_best_sellers kept set pieces = kept.pieces - less.pieces, revenue = kept.revenue - less.revenue
    from (select product_id, sum(pieces) as pieces, sum(revenue) as revenue from removed where day >= first_day group by 1) as less
    where kept.product_id = less.product_id;
  end if;
  return null;
end $$;

create trigger pieces_summed after insert on sales_pieces referencing new table as added for each statement execute function sum_pieces_changed();
create trigger pieces_summed_again after update on sales_pieces referencing old table as removed new table as added
  for each statement execute function sum_pieces_changed();
create trigger pieces_forgotten after delete on sales_pieces referencing old table as removed for each statement execute function sum_pieces_changed();
alter table sales_pieces enable always trigger pieces_summed;
alter table sales_pieces enable always trigger pieces_summed_again;
alter table sales_pieces enable always trigger pieces_forgotten;

insert into sales_window (since) select shop_day(now()) - 29 where exists (select from sales_pieces);
insert into sales_best_sellers (product_id, pieces, revenue)
select product_id, sum(pieces), sum(revenue) from sales_pieces where day >= (select since from sales_window) group by 1;
create index sales_best_sellers_pieces on sales_best_sellers (pieces desc, product_id);
