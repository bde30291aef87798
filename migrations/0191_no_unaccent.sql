-- Nothing has ever used it. Whoever made it (an administrator of the database, another schema's function) may keep it: then it stays, and does no harm.
do $$ begin
  drop extension if exists unaccent;
exception when insufficient_privilege or dependent_objects_still_exist then
  raise notice 'unaccent stays: %', sqlerrm;
end $$;
