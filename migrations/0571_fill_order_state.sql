-- no transaction
-- The state (0570) of the orders that are there, a sixteenth at a time, so that a step waits for some seconds at most.
update orders set order_state = state_of(status, dispatched_at, delivered_at, return_stage)
  where order_state = '' and get_byte(uuid_send(id), 15) >> 4 = 0;
update orders set order_state = state_of(status, dispatched_at, delivered_at, return_stage)
  where order_state = '' and get_byte(uuid_send(id), 15) >> 4 = 1;
update orders set order_state = state_of(status, dispatched_at, delivered_at, return_stage)
  where order_state = '' and get_byte(uuid_send(id), 15) >> 4 = 2;
update orders set order_state = state_of(status, dispatched_at, delivered_at, return_stage)
  where order_state = '' and get_byte(uuid_send(id), 15) >> 4 = 3;
update orders set order_state = state_of(status, dispatched_at, delivered_at, return_stage)
  where order_state = '' and get_byte(uuid_send(id), 15) >> 4 = 4;
update orders set order_state = state_of(status, dispatched_at, delivered_at, return_stage)
  where order_state = '' and get_byte(uuid_send(id), 15) >> 4 = 5;
update orders set order_state = state_of(status, dispatched_at, delivered_at, return_stage)
  where order_state = '' and get_byte(uuid_send(id), 15) >> 4 = 6;
update orders set order_state = state_of(status, dispatched_at, delivered_at, return_stage)
  where order_state = '' and get_byte(uuid_send(id), 15) >> 4 = 7;
update orders set order_state = state_of(status, dispatched_at, delivered_at, return_stage)
  where order_state = '' and get_byte(uuid_send(id), 15) >> 4 = 8;
update orders set order_state = state_of(status, dispatched_at, delivered_at, return_stage)
  where order_state = '' and get_byte(uuid_send(id), 15) >> 4 = 9;
update orders set order_state = state_of(status, dispatched_at, delivered_at, return_stage)
  where order_state = '' and get_byte(uuid_send(id), 15) >> 4 = 10;
update orders set order_state = state_of(status, dispatched_at, delivered_at, return_stage)
  where order_state = '' and get_byte(uuid_send(id), 15) >> 4 = 11;
update orders set order_state = state_of(status, dispatched_at, delivered_at, return_stage)
  where order_state = '' and get_byte(uuid_send(id), 15) >> 4 = 12;
update orders set order_state = state_of(status, dispatched_at, delivered_at, return_stage)
  where order_state = '' and get_byte(uuid_send(id), 15) >> 4 = 13;
update orders set order_state = state_of(status, dispatched_at, delivered_at, return_stage)
  where order_state = '' and get_byte(uuid_send(id), 15) >> 4 = 14;
update orders set order_state = state_of(status, dispatched_at, delivered_at, return_stage)
  where order_state = '' and get_byte(uuid_send(id), 15) >> 4 = 15;
