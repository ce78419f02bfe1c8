-- When a saved payee or one of its accounts was added or changed last. Null: before this was recorded.
alter table directory_entries add column changed_at timestamptz;
