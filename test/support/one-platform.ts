import type { Pool } from '../../src/foundation/db/connect.ts'

/** Tables whose rows belong to a platform and change with its payments. Bank files and leases of endpoints span platforms. */
const TABLES = [
  'account_blocks',
  'approvals',
  'audit_entries',
  'autopay_authorizations',
  'banks',
  'batch_rows',
  'deliveries',
  'destinations',
  'events',
  'exceptions',
  'grants',
  'idempotency_records',
  'invoices',
  'legs',
  'outbox',
  'payment_history',
  'payment_recipients',
  'payments',
  'received_payments',
  'subscription_runs',
  'subscriptions',
  'user_status_changes',
  'transfers',
  'user_counters',
  'users',
  'wallets',
]

/** Makes each transaction that writes rows of two platforms fail from now on. */
export async function refuseSecondPlatform(ownerSql: Pool): Promise<void> {
  await ownerSql.unsafe(`
    create function refuse_second_platform() returns trigger language plpgsql as $$
    declare
      platform text := coalesce(new.platform_id, old.platform_id)::text;
      other text := nullif(current_setting('test.platform', true), '');
    begin
      if other <> platform then
        raise exception 'a transaction writes rows of two platforms: % and, in %, %', other, tg_table_name, platform;
      end if;
      perform set_config('test.platform', platform, true);
      return null;
    end $$
  `)
  await ownerSql.unsafe('grant execute on function refuse_second_platform() to public')
  for (const table of TABLES) {
    await ownerSql.unsafe(`
      create trigger refuse_second_platform after insert or update or delete on ${table}
      for each row execute function refuse_second_platform()
    `)
  }
}
