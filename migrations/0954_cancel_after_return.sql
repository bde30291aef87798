-- What had left of a partly dispatched order may come back; then the rest can be cancelled, and with it the order.
insert into order_steps (from_state, to_state) values ('partly_dispatched', 'cancelled');
