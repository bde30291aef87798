-- What staff wrote when they started a return was stored as the customer's words.
update order_returns set answer = concat_ws(E'\n', note, nullif(answer, '')), note = '' where actor <> 'The customer' and note <> '';
