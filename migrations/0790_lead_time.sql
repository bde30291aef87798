-- How long a piece takes until it can leave: weeks in which it is made to order, and the moment from which it is there. Null: it leaves at once.
alter table products
  add column lead_weeks smallint,
  add column ready_from timestamptz;

-- The moment from which all pieces of an order can leave, as promised when it was placed; null where that was at once.
alter table orders add column ready_at timestamptz;
