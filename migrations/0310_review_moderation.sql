-- Pictures of a hidden review are shown to its author and the back office only, by addresses that are signed with the review's own key
-- (src/server/products/withheld-pictures.ts).
alter table reviews add column picture_key bytea not null
  default uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()) check (length(picture_key) = 32);
create index reviews_hidden on reviews (id) where hidden_at is not null;

-- What stays of a hidden review that its author took back: another one of the same author about the same product begins hidden.
create table review_hidings (
  product_id uuid not null references products on delete cascade,
  user_id uuid not null references users on delete cascade,
  hidden_at timestamptz not null,
  hidden_reason text not null check (hidden_reason <> '' and length(hidden_reason) <= 500),
  primary key (product_id, user_id)
);
create index review_hidings_user on review_hidings (user_id);
