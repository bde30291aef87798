-- Of a cancelled order that was paid: what has to be refunded in all, in pence, of which a dispute may have held a part back. Staff may keep the rest.
alter table orders add column due_back integer;
