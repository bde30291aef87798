-- When a refund was made: its money may leave the cash box days after it was owed. A trigger, so that servers of the version before set it, too.
alter table order_refunds add column done_at timestamptz;
create function set_refund_done_at() returns trigger language plpgsql as $$
begin
  new.done_at := now();
  return new;
end $$;
create trigger order_refunds_made before insert on order_refunds for each row when (new.status = 'done' and new.done_at is null) execute function set_refund_done_at();
create trigger order_refunds_done before update of status on order_refunds for each row
  when (new.status = 'done' and old.status <> 'done') execute function set_refund_done_at();
