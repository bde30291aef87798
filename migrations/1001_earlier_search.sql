-- Functions of the searches before 0580, by steps of prices. No index has used them since.
drop function if exists priced_words(tsvector, integer);
drop function if exists price_steps(integer);
drop function if exists price_step(integer);
drop function if exists words_at(text[], integer);
drop function if exists word_forms(text[]);
drop function if exists either(tsquery, tsquery);
update schema_compatibility set oldest_migration = '0580_find';
