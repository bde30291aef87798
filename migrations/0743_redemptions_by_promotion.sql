-- no transaction
-- One index for the uses of a promotion, and for whether any order has had it. The partial one served the uses only.
-- Note on 0740: worthOf is in src/contract/market/worth.ts.
drop index concurrently if exists redemptions_promotion;
create index concurrently redemptions_promotion on redemptions (promotion_id);
drop index concurrently if exists redemptions_used;
