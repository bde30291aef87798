-- What customers write about pieces that they have received: once for each product, with at most three pictures.
create table reviews (
  id uuid primary key,
  product_id uuid not null references products on delete cascade,
  -- A review goes with its account; the shop counts the product's rating again (src/server/reviews).
  user_id uuid not null references users on delete cascade,
  rating smallint not null check (rating between 1 and 5),
  text text not null default '' check (length(text) <= 2000),
  images text[] not null default '{}' check (cardinality(images) <= 3),
  -- How many accounts found it helpful.
  helpful integer not null default 0 check (helpful >= 0),
  created_at timestamptz not null default now(),
  hidden_at timestamptz,
  hidden_reason text not null default '' check (length(hidden_reason) <= 500),
  reply text not null default '' check (length(reply) <= 2000),
  replied_at timestamptz,
  unique (product_id, user_id),
  check (hidden_at is null or hidden_reason <> ''),
  check ((reply = '') = (replied_at is null))
);
-- One index a sort of what the shop shows, and one for the back office, which shows hidden ones too.
create index reviews_newest on reviews (product_id, created_at, id) where hidden_at is null;
create index reviews_by_rating on reviews (product_id, rating, id) where hidden_at is null;
create index reviews_by_helpful on reviews (product_id, helpful, id) where hidden_at is null;
create index reviews_of_product on reviews (product_id, created_at, id);
create index reviews_user on reviews (user_id);
-- For the clean-up of pictures that nothing names.
create index reviews_images on reviews using gin (images);

create table review_votes (
  review_id uuid not null references reviews on delete cascade,
  user_id uuid not null references users on delete cascade,
  created_at timestamptz not null default now(),
  primary key (review_id, user_id)
);
create index review_votes_user on review_votes (user_id);

-- Of each product that has reviews to show: how many gave one star, two, … five. The product's rating is their mean meanwhile; what it was
-- before is kept here, and is the rating again when the last review goes.
create table review_summaries (
  product_id uuid primary key references products on delete cascade,
  given_rating real not null,
  counts integer[] not null check (cardinality(counts) = 5)
);

-- Orders whose customer was asked for reviews, so that nobody is asked twice; the hash recognises the mail's link by which they stop.
create table review_requests (
  order_id uuid primary key references orders on delete cascade,
  token_hash bytea not null unique check (length(token_hash) = 32),
  asked_at timestamptz not null default now()
);
-- Accounts that want no such mails.
create table review_mail_stops (
  user_id uuid primary key references users on delete cascade,
  stopped_at timestamptz not null default now()
);
