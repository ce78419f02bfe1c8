import type { Pool, Sql } from '../connect.ts'
import { listSequences } from './citus-rights.ts'
import { onWorkers } from './on-workers.ts'
import type { ServiceRole } from './service-role.ts'

// The functions that the coordinator of Citus runs on the node of a platform, and what the nodes need for them.

/**
 * Functions that run on a node. They write only rows of the platform in their first parameter, and read no other rows of the coordinator.
 */
const DELEGATED: readonly string[] = ['accept_payments_on_node_v1', 'accept_plain_payments_on_node_v1']

/** Makes the coordinator run the functions on nodes. @param likeTable a tenant table, whose distribution chooses the node */
export async function delegateFunctions(tx: Sql, likeTable: string): Promise<void> {
  const functions = await tx<{ signature: string }[]>`
    select oid::regprocedure::text as signature
    from pg_proc
    where pronamespace = 'public'::regnamespace and proname = any (${DELEGATED}::text[])
  `
  for (const { signature } of functions)
    await tx`select create_distributed_function(${signature}::regprocedure, '_platform_id', ${likeTable})`
}

/**
 * Copies the settings to the nodes, because the digest key must stay the same in a transaction that a node commits. Only a first start and
 * a rotation write the table.
 */
export async function copySettings(tx: Sql): Promise<void> {
  const [known] = await tx`select from pg_dist_partition where logicalrelid = 'settings'::regclass`
  if (known) return
  await tx`select create_reference_table('settings')`
  await tx`select truncate_local_data_after_distributing_table('settings')`
}

/**
 * The first position that the coordinator assigns to webhooks and messages. Those of one payment are sent in the order of their positions.
 * A node numbers the rows that it writes while it accepts a payment, in a range of 2^48 that belongs to its own number. The coordinator
 * numbers all later rows.
 */
const FIRST_POSITION = 2n ** 52n
/** The maximum number of workers. The ranges of more workers would overlap with that of the coordinator. */
export const MAX_WORKER_NUMBER = 15

/**
 * Prepares the workers. Each gets a view of the receiving addresses that the coordinator sends with a call (accept_payments_on_node_v1).
 * The service role gets its rights there.
 */
export async function prepareWorkers(pool: Pool, servedBy: ServiceRole | null): Promise<void> {
  const sequences = await listSequences(pool)
  for (const { name } of sequences)
    await pool`
    select setval(${name}::regclass, ${FIRST_POSITION})
    from pg_sequences
    where schemaname = 'public' and sequencename = ${name} and coalesce(last_value, 0) < ${FIRST_POSITION}
  `
  const role = servedBy && `"${servedBy.name.replaceAll('"', '""')}"`
  await onWorkers(
    pool,
    `
      do $do$
      begin
        set local citus.enable_ddl_propagation = off;
        create or replace view receiving_addresses as
          select *
          from json_to_recordset(current_setting('remit.receiving_addresses')::json)
            as a (email_hash bytea, platform_id uuid, verified_at timestamptz);
        ${role ? `grant select on receiving_addresses to ${role};` : ''}
        ${role ? sequences.map(({ name }) => `grant usage on sequence ${name} to ${role};`).join('\n') : ''}
      end $do$
    `,
  )
}
