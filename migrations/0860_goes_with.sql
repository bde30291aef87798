-- The numbers of the products that the shop shows beside this one, separated by commas. Text, as its form and the CSV have it.
alter table products add column goes_with text not null default '';
