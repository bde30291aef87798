-- Finds what a customer is about to pay; small, since such orders end within the hour.
create index orders_awaiting on orders (user_id) where status = 'awaiting_payment';
