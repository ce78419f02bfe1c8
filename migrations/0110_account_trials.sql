-- The times of wrong pairs, which are counted for an account over all users of a platform.
alter table bank_trials add wrong_at timestamptz[];

create index bank_trials_account on bank_trials (platform_id, account_digest);
