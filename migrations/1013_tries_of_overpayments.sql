-- Which try of the provider's refund of a second payment is next: each that was refused counts, so that it is not answered from memory.
alter table overpayments add column attempt integer not null default 1;
