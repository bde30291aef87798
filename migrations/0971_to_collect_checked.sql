alter table orders validate constraint orders_to_collect_check;
