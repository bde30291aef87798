-- Finds what a customer still has to pay on delivery, for the ceilings on such orders; small, since every order is paid or delivered some day.
create index orders_open_cash on orders (user_id)
  where status = 'placed' and paid_at is null and delivered_at is null and payment_method <> 'Credit Card';
