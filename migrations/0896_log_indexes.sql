-- no transaction
alter table audit_entries validate constraint audit_entries_entity_check;
drop index concurrently if exists audit_entries_at;
create index concurrently audit_entries_at on audit_entries (at desc, id desc);
drop index concurrently if exists audit_entries_kind_at;
create index concurrently audit_entries_kind_at on audit_entries (entity, at desc, id desc);
drop index concurrently if exists audit_entries_actor_at;
create index concurrently audit_entries_actor_at on audit_entries (actor_id, at desc, id desc);
