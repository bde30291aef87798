-- The oldest version of the shop that can serve this database, named by the newest migration that it must know. A version that finds migrations
-- here that it does not know serves if it knows this one, and else refuses to start. A migration with which older code cannot go on (it drops
-- or renames what that code uses, or asks for what that code does not write) ends with: update schema_compatibility set oldest_migration = '<its own name>';
-- What was released together with this table, up to 0150, has no older version to serve.
create table schema_compatibility (
  only_row boolean primary key default true check (only_row),
  oldest_migration text not null
);
insert into schema_compatibility (oldest_migration) values ('0150_known_devices');
