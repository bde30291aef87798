alter table orders validate constraint orders_shipping_method;
