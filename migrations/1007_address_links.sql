-- Links that confirm the address of an account, each by the hash of its token. A link works for the address that it was mailed to, while the account has it.
create table address_links (
  token_hash bytea primary key,
  user_id uuid not null references users (id) on delete cascade,
  email text not null,
  created_at timestamptz not null default now()
);
create index address_links_of_user on address_links (user_id);

-- Those that the version before has mailed. It alone uses the column.
insert into address_links (token_hash, user_id, email) select confirm_hash, id, email from users where confirm_hash is not null;
