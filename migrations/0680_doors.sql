-- The width in millimetres of the narrowest standard door that a size comes through, derived from its measurements (decision 114), for the list's filter.
alter table product_dimensions add column door smallint;
