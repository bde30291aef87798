update products set state = 'deleted' where deleted_at is not null and state = 'live';
