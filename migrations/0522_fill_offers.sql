-- no transaction
-- The offers (0520) of the products that are there, a sixteenth at a time, so that a sale waits for some seconds at most.
update products p set (from_price, stock_level, is_available) = (select o.from_price, o.stock_level, o.stock_level > 0 from offers_of(array[p.id]) o)
  where get_byte(uuid_send(p.id), 15) >> 4 = 0;
update products p set (from_price, stock_level, is_available) = (select o.from_price, o.stock_level, o.stock_level > 0 from offers_of(array[p.id]) o)
  where get_byte(uuid_send(p.id), 15) >> 4 = 1;
update products p set (from_price, stock_level, is_available) = (select o.from_price, o.stock_level, o.stock_level > 0 from offers_of(array[p.id]) o)
  where get_byte(uuid_send(p.id), 15) >> 4 = 2;
update products p set (from_price, stock_level, is_available) = (select o.from_price, o.stock_level, o.stock_level > 0 from offers_of(array[p.id]) o)
  where get_byte(uuid_send(p.id), 15) >> 4 = 3;
update products p set (from_price, stock_level, is_available) = (select o.from_price, o.stock_level, o.stock_level > 0 from offers_of(array[p.id]) o)
  where get_byte(uuid_send(p.id), 15) >> 4 = 4;
update products p set (from_price, stock_level, is_available) = (select o.from_price, o.stock_level, o.stock_level > 0 from offers_of(array[p.id]) o)
  where get_byte(uuid_send(p.id), 15) >> 4 = 5;
update products p set (from_price, stock_level, is_available) = (select o.from_price, o.stock_level, o.stock_level > 0 from offers_of(array[p.id]) o)
  where get_byte(uuid_send(p.id), 15) >> 4 = 6;
update products p set (from_price, stock_level, is_available) = (select o.from_price, o.stock_level, o.stock_level > 0 from offers_of(array[p.id]) o)
  where get_byte(uuid_send(p.id), 15) >> 4 = 7;
update products p set (from_price, stock_level, is_available) = (select o.from_price, o.stock_level, o.stock_level > 0 from offers_of(array[p.id]) o)
  where get_byte(uuid_send(p.id), 15) >> 4 = 8;
update products p set (from_price, stock_level, is_available) = (select o.from_price, o.stock_level, o.stock_level > 0 from offers_of(array[p.id]) o)
  where get_byte(uuid_send(p.id), 15) >> 4 = 9;
update products p set (from_price, stock_level, is_available) = (select o.from_price, o.stock_level, o.stock_level > 0 from offers_of(array[p.id]) o)
  where get_byte(uuid_send(p.id), 15) >> 4 = 10;
update products p set (from_price, stock_level, is_available) = (select o.from_price, o.stock_level, o.stock_level > 0 from offers_of(array[p.id]) o)
  where get_byte(uuid_send(p.id), 15) >> 4 = 11;
update products p set (from_price, stock_level, is_available) = (select o.from_price, o.stock_level, o.stock_level > 0 from offers_of(array[p.id]) o)
  where get_byte(uuid_send(p.id), 15) >> 4 = 12;
update products p set (from_price, stock_level, is_available) = (select o.from_price, o.stock_level, o.stock_level > 0 from offers_of(array[p.id]) o)
  where get_byte(uuid_send(p.id), 15) >> 4 = 13;
update products p set (from_price, stock_level, is_available) = (select o.from_price, o.stock_level, o.stock_level > 0 from offers_of(array[p.id]) o)
  where get_byte(uuid_send(p.id), 15) >> 4 = 14;
update products p set (from_price, stock_level, is_available) = (select o.from_price, o.stock_level, o.stock_level > 0 from offers_of(array[p.id]) o)
  where get_byte(uuid_send(p.id), 15) >> 4 = 15;
analyze products;
