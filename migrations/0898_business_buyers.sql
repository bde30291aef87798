-- A business that buys: `company`, `vatNumber` and `orderNumber`, as it typed them. Null for anybody else.
alter table orders add column business jsonb;
