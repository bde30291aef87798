-- When a picture or model that was already stored was last stored again: somebody else is about to use the same file, so it is not removed within the hour.
alter table stored_pictures add column again_at timestamptz;
