-- The cash that a parcel's driver collects, in pence, as it was when the parcel left. Null for parcels that left before this was stored.
alter table parcels add column amount_due int;
