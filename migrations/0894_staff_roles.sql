-- What an administrator may do; it says nothing of other users.
alter table users add column staff_role text not null default 'owner';
alter table users
  add constraint users_staff_role_check check (staff_role in ('owner', 'orders', 'catalogue', 'money', 'read-only')) not valid;
alter table users validate constraint users_staff_role_check;
