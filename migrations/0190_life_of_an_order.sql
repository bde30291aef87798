-- The life of an order: the steps from state to state that src/server/orders/states.ts lists, whoever writes. A later step replaces this function.
create function check_order_step() returns trigger language plpgsql as $$
begin
  if (old.status, new.status) not in (
    ('awaiting_payment', 'placed'), ('awaiting_payment', 'expired'),
    ('expired', 'placed'), ('expired', 'refunded')
  ) then
    raise exception 'an order that is % cannot become %', old.status, new.status using errcode = 'check_violation', constraint = 'orders_step';
  end if;
  return new;
end $$;
-- Rows that a backup brings back or an import writes are new, and come as they are.
create trigger orders_step before update of status on orders for each row when (old.status is distinct from new.status) execute function check_order_step();
