-- New since staff looked at it last; a review that waits for that look is hidden without a reason.
alter table reviews add column is_new boolean not null default false;
alter table reviews drop constraint reviews_check;
alter table reviews add constraint reviews_hidden_with_reason check (hidden_at is null or hidden_reason <> '' or is_new) not valid;
alter table reviews validate constraint reviews_hidden_with_reason;
