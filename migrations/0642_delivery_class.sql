-- How a product is brought: small, parcel or two-person; 'by size' where its measurements decide.
alter table products add column delivery_class text not null default 'by size';
