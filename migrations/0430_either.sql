-- One of two queries for words, each word once: told twice, PostgreSQL takes it for twice as frequent and plans for that many products. As
-- texts, since “=” takes a word for the same as its beginning.
create function either(one tsquery, other tsquery) returns tsquery language sql immutable strict parallel safe
  return case when one::text = other::text then one else one || other end;
