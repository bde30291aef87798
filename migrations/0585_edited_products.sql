-- Which products an edit has changed, so that a process drops only what may show them. Versions from before see no `products` and drop everything.
alter table catalogue_changes add column edited uuid[];
