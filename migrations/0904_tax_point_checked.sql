-- no transaction
alter table order_items validate constraint order_items_left_out_check;
