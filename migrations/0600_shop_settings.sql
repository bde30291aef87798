-- What the owner has set on /admin/settings: each saving of a section is a row, and the latest one counts.
create table shop_settings (
  section text not null,
  version integer not null check (version > 0),
  "values" jsonb not null,
  saved_at timestamptz not null default now(),
  actor_id uuid,
  actor_name text not null,
  primary key (section, version)
);

-- A change of these settings, after which only pages that show them are made again. Versions from before see no products and drop everything.
alter table catalogue_changes add column settings boolean not null default false;
