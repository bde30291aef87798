-- Orders are found by the words of names and addresses instead of by three letters each, which took seconds among five million orders: nearly every
-- address has the letters of “example.com”. Words are what stands between spaces, the two parts of an address, and what is left of these without
-- punctuation. What stands far behind in a text is not found: an index takes no word of more than 2 KB.
create function order_words(text text) returns tsvector language sql immutable parallel safe return (
  array_to_tsvector(array_remove(
    string_to_array(left(lower(text), 500), ' ') || string_to_array(replace(left(lower(text), 500), '@', ' '), ' ')
      || string_to_array(regexp_replace(left(lower(text), 500), '[^[:alnum:]]+', ' ', 'g'), ' '),
    ''))
);

-- What was typed, as a query for these words, of which the last may be only begun. Null where it has none.
create function order_words_query(typed text) returns tsquery language sql immutable parallel safe return (
  select string_agg('''' || replace(replace(word, '\', '\\'), '''', '''''') || '''' || case when is_last then ':*' else '' end, ' & ')::tsquery
  from (
    select word, place = max(place) over () as is_last
    from unnest(array_remove(regexp_split_to_array(regexp_replace(lower(typed), '(^|\s)[^[:alnum:]]+', '\1', 'g'), '\s+'), ''))
      with ordinality as typed_words (word, place)
  ) as words
);
