-- The carrier's link when the parcel left (src/contract/delivery/carriers.ts), so that a change of the owner's list leaves it alone. Null for parcels of
-- earlier versions.
alter table parcels add column carrier_link text;
