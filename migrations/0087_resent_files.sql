-- The bank may have both copies of a file that was sent again, so the rejection of one says nothing about the other.
alter table bank_files add column resent_at timestamptz;
