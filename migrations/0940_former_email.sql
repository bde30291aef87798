-- The address of staff before they changed it themselves, while neither it nor the new one is confirmed: codes go on to it. `confirmed_email` holds
-- confirmed addresses only.
alter table users add column former_email text;
