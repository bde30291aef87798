-- How many products a search finds about, and how many of them have each value of a filter, say the samples. Without these the words of each
-- product of a sample had to be read from its row.
create index products_search_few on products using gin (search) where deleted_at is null and get_byte(uuid_send(id), 15) = 0;
create index products_search_sample on products using gin (search) where deleted_at is null and get_byte(uuid_send(id), 15) < 5;
