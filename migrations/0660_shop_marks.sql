-- What has been seen to work: the provider's webhook, an email that arrived, a backup. `subject` is a fingerprint of the settings that it was seen with:
-- another key or mail server must show it again.
create table shop_marks (
  name text not null,
  subject text not null,
  -- Of the link in the latest test email.
  token_hash bytea unique,
  asked_at timestamptz,
  seen_at timestamptz,
  primary key (name, subject)
);
