-- A delivery that was marked by mistake after it had failed is a failed one again.
insert into order_steps (from_state, to_state) values ('delivered', 'delivery_failed');
