-- The mail of a reset code has a link besides, which needs no limit on attempts: strangers who use up those at the code keep nobody out (decision 13).
alter table password_resets add column link_hash bytea;
