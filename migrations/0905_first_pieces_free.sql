-- A promotion whose first pieces are free, such as three fabric samples; its value is their number.
alter table promotions drop constraint promotions_kind_check;
alter table promotions
  add constraint promotions_kind_check check (kind in ('percent', 'amount', 'free_delivery', 'first_free')) not valid;
