-- no transaction
-- Indexes that no statement uses: spellings are looked up among labels (`catalogue_words_labels`), and PostgreSQL reads an index by the beginning of a word
-- only if it knows the word when it plans.
drop index concurrently if exists catalogue_words_spellings;
drop index concurrently if exists catalogue_words_start;
