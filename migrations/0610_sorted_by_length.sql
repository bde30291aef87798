-- What lists are sorted by for words such as "narrow" and "tall", and the height of a seat, all in millimetres. Products of which nothing is known
-- come last. Filled by the job that derives attributes.
alter table products
  add column least_width smallint not null default 32767,
  add column most_width smallint not null default 0,
  add column least_height smallint not null default 32767,
  add column most_height smallint not null default 0;
alter table product_dimensions add column seat_height smallint;
