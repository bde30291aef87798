-- What each picture of a product shows, by its address: {"/images/…-1200.webp": {"kind": "packshot", "size": "Two-seat", "color": "#75775f"}}. What is
-- left out holds for every size or colour, or is not known. By address, so that reordering the pictures changes nothing of it.
alter table products add column shown jsonb not null default '{}' check (jsonb_typeof(shown) = 'object');
