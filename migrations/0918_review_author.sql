-- The author's public name when the review was written or last edited, which staff have looked at with it. Null in reviews from before, and in those of the
-- version before: these show the account's name.
alter table reviews add column author text;
