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
  -- Pictures of a hidden review are shown to its author and the back office only, by addresses that are signed with the review's own key
  -- (src/server/catalogue/withheld-pictures.ts).
  picture_key bytea not null default uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()) check (length(picture_key) = 32),
  unique (product_id, user_id),
  check (hidden_at is null or hidden_reason <> ''),
  check ((reply = '') = (replied_at is null))
);

create index reviews_by_helpful on reviews (product_id, helpful, id) where hidden_at is null;
create index reviews_by_rating on reviews (product_id, rating, id) where hidden_at is null;
create index reviews_hidden on reviews (id) where hidden_at is not null;
-- For the clean-up of pictures that nothing names.
create index reviews_images on reviews using gin (images);
-- One index a sort of what the shop shows, and one for the back office, which shows hidden ones too.
create index reviews_newest on reviews (product_id, created_at, id) where hidden_at is null;
create index reviews_of_product on reviews (product_id, created_at, id);
create index reviews_user on reviews (user_id);

-- What stays of a hidden review that its author took back: another one of the same author about the same product begins hidden.
create table review_hidings (
  product_id uuid not null references products on delete cascade,
  user_id uuid not null references users on delete cascade,
  hidden_at timestamptz not null,
  hidden_reason text not null check (hidden_reason <> '' and length(hidden_reason) <= 500),
  primary key (product_id, user_id)
);

create index review_hidings_user on review_hidings (user_id);

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

-- Who wants to hear when a sold-out product is back: an address, which counts once its owner has confirmed it by the link in a mail. The row goes
-- with the one mail that it is for.
create table stock_alerts (
  id uuid primary key,
  product_id uuid not null references products on delete cascade,
  email text not null check (length(email) between 3 and 254),
  -- Recognises the links that confirm and stop it.
  token_hash bytea not null unique check (length(token_hash) = 32),
  created_at timestamptz not null default now(),
  confirmed_at timestamptz
);

create index stock_alerts_confirmed on stock_alerts (product_id) where confirmed_at is not null;
create index stock_alerts_created on stock_alerts (created_at);
create index stock_alerts_email on stock_alerts (lower(email));
create unique index stock_alerts_of_product on stock_alerts (product_id, lower(email));
