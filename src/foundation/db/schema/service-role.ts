import type { EnvironmentName } from '../../core/environment.ts'
import { StartProblem } from '../../lib/start-problem.ts'
import { isOnCitus } from '../cluster/by-platform.ts'
import type { Sql } from '../connect.ts'
import { grantCitusRights } from './citus-rights.ts'

// The rights of the service role. It can read and write rows and change nothing else. The rights are granted after each migration and
// checked when the service starts.

const RIGHTS = ['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'TRUNCATE', 'REFERENCES', 'TRIGGER'] as const
type Right = (typeof RIGHTS)[number]

/** The rights on every table that is not listed below. */
const USUAL: readonly Right[] = ['SELECT', 'INSERT', 'UPDATE', 'DELETE']
const READ_ONLY: readonly Right[] = ['SELECT']
const APPEND_ONLY: readonly Right[] = ['SELECT', 'INSERT']
const NEVER_DELETED: readonly Right[] = ['SELECT', 'INSERT', 'UPDATE']

/** Partitions of the request log. The service truncates them, because deleting rows one by one costs as much as writing them. */
const LOG_PARTITIONS = Array.from({ length: 9 }, (_, slot) => `request_log_${slot}`)

const TABLE_RIGHTS: Readonly<Record<string, readonly Right[]>> = {
  // written by the owner of the schema
  migrations: READ_ONLY,
  schema_release: READ_ONLY,
  sql_functions: READ_ONLY,
  // the ledger; end_pending_transfers_v1 posts or voids pending transfers
  transfers: APPEND_ONLY,
  // the audit trail; an entry stays in audit_unsealed until it is sealed
  audit_entries: APPEND_ONLY,
  audit_seals: APPEND_ONLY,
  audit_closings: APPEND_ONLY,
  audit_unsealed: ['SELECT', 'INSERT', 'DELETE'],
  // the keys and the environment of the database; a retired key is deleted
  master_keys: ['SELECT', 'INSERT', 'DELETE'],
  settings: NEVER_DELETED,
  // the request log; each day is a partition that is emptied as a whole
  ...Object.fromEntries(LOG_PARTITIONS.map((name) => [name, [...USUAL, 'TRUNCATE'] as Right[]])),
  // money in transit and its owners
  ach_acknowledgements: NEVER_DELETED,
  ach_corrections: NEVER_DELETED,
  ach_entries: NEVER_DELETED,
  ach_files: NEVER_DELETED,
  ach_inbound_files: NEVER_DELETED,
  ach_inbound_parts: NEVER_DELETED,
  ach_recovered_entries: NEVER_DELETED,
  recovered_checks: NEVER_DELETED,
  recovered_orders: NEVER_DELETED,
  ach_returns: NEVER_DELETED,
  account_corrections: NEVER_DELETED,
  outside_payments: APPEND_ONLY,
  platform_trials: NEVER_DELETED,
  ach_set_aside: NEVER_DELETED,
  bank_cases: NEVER_DELETED,
  bank_statements: NEVER_DELETED,
  closed_months: NEVER_DELETED,
  connection_states: NEVER_DELETED,
  exchange_parts: NEVER_DELETED,
  exchange_platforms: NEVER_DELETED,
  exchange_recoveries: NEVER_DELETED,
  exchanges: NEVER_DELETED,
  banks: NEVER_DELETED,
  approvals: NEVER_DELETED,
  statement_files: NEVER_DELETED,
  statement_lines: NEVER_DELETED,
  subscriptions: NEVER_DELETED,
  autopay_authorizations: NEVER_DELETED,
  subscription_runs: APPEND_ONLY,
  checkbooks: NEVER_DELETED,
  destinations: NEVER_DELETED,
  letters: APPEND_ONLY,
  line_decisions: APPEND_ONLY,
  line_postings: NEVER_DELETED,
  line_references: APPEND_ONLY,
  mailboxes: NEVER_DELETED,
  mailbox_numbers: APPEND_ONLY,
  mailbox_files: APPEND_ONLY,
  exceptions: NEVER_DELETED,
  inbound_contents: NEVER_DELETED,
  invoices: NEVER_DELETED,
  iso_orders: NEVER_DELETED,
  legs: NEVER_DELETED,
  paid_files: NEVER_DELETED,
  payouts: NEVER_DELETED,
  paper_checks: NEVER_DELETED,
  check_numbers: NEVER_DELETED,
  payment_history: APPEND_ONLY,
  payments: NEVER_DELETED,
  user_counters: NEVER_DELETED,
  user_limits: NEVER_DELETED,
  users: NEVER_DELETED,
  wallets: NEVER_DELETED,
  wallet_numbers: NEVER_DELETED,
  virtual_cards: NEVER_DELETED,
  card_transactions: APPEND_ONLY,
}

/** Tables that the daily reset of the demo keeps. */
export const KEPT_BY_DEMO = [
  'migrations',
  'schema_release',
  'sql_functions',
  'settings',
  'master_keys',
  'mail_suppressions',
]

/** The service role and its environment. */
export type ServiceRole = { name: string; environment: EnvironmentName }

export function rightsOn(table: string, environment: EnvironmentName): readonly Right[] {
  const rights = TABLE_RIGHTS[table] ?? USUAL
  return environment === 'demo' && !KEPT_BY_DEMO.includes(table)
    ? [...new Set([...rights, 'TRUNCATE' as const])]
    : rights
}

/**
 * Grants the service role its rights on the migrated schema, and revokes the right of all other roles to call functions. Does nothing for
 * the schema's owner, who has every right.
 *
 * @throws StartProblem if the role does not exist
 */
export async function grantServiceRights(tx: Sql, role: ServiceRole): Promise<void> {
  const [known] = await tx<{ isOwner: boolean }[]>`
    select rolname = current_user as is_owner
    from pg_roles
    where rolname = ${role.name}
  `
  if (!known) {
    throw new StartProblem(
      `PostgreSQL does not have the role "${role.name}" of DATABASE_URL. ` +
        `Create it first: create role ${quoted(role.name)} login password '…'`,
    )
  }
  if (known.isOwner) return
  const { tables, functions } = await findDifferences(tx, role)
  if (tables.length > 0 || functions.length > 0) await tx.unsafe(await grantStatements(tx, role))
  if (await isOnCitus(tx)) await grantCitusRights(tx, role.name)
}

async function grantStatements(tx: Sql, { name, environment }: ServiceRole): Promise<string> {
  const role = quoted(name)
  const [database] = await tx<{ name: string; isOurs: boolean }[]>`
    select datname as name, pg_has_role(datdba, 'MEMBER') as is_ours
    from pg_database
    where datname = current_database()
  `
  const tables = await tx<{ name: string }[]>`
    select relname as name
    from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and relowner = ${schemaOwner(tx)}
    order by relname
  `
  const functions = await tx<{ signature: string }[]>`
    select oid::regprocedure::text as signature
    from pg_proc
    where pronamespace = 'public'::regnamespace and proowner = ${schemaOwner(tx)}
  `
  return [
    // In a database that PostgreSQL 14 created, every role can create objects in the schema `public`.
    ...(database?.isOurs
      ? [
          'revoke create on schema public from public',
          `revoke temporary on database ${quoted(database.name)} from public`,
        ]
      : []),
    `revoke all on schema public from ${role}`,
    `grant usage on schema public to ${role}`,
    ...tables.flatMap(({ name: table }) => [
      `revoke all on ${quoted(table)} from ${role}`,
      `grant ${rightsOn(table, environment).join(', ')} on ${quoted(table)} to ${role}`,
    ]),
    ...functions.flatMap(({ signature }) => [
      `revoke execute on function ${signature} from public`,
      `grant execute on function ${signature} to ${role}`,
    ]),
  ].join(';\n')
}

/** Returns the SQL for the owner of the program's tables and functions. An operator may keep other tables in the schema. */
const schemaOwner = (sql: Sql) => sql`(select relowner from pg_class where oid = 'public.migrations'::regclass)`

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

/** Returns whether the role of this connection can create tables and functions. */
export async function canChangeSchema(sql: Sql): Promise<boolean> {
  const [row] = await sql<{ canCreate: boolean }[]>`select has_schema_privilege('public', 'CREATE') as can_create`
  return row?.canCreate ?? false
}

/**
 * The differences between the rights of a role and its intended rights: excess and missing rights, and functions that this role or others
 * must not call.
 */
type Differences = {
  tables: { table: string; right: Right; has: boolean }[]
  functions: { name: string; has: boolean }[]
}

/** Finds how the rights of a role differ from the tables above. */
export async function findDifferences(sql: Sql, { name, environment }: ServiceRole): Promise<Differences> {
  const tables = await sql<Differences['tables']>`
    select c.relname as table, r.name as right, has_table_privilege(${name}, c.oid, r.name) as has
    from pg_class c
    cross join unnest(${[...RIGHTS]}::text[]) as r (name)
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and c.relowner = ${schemaOwner(sql)}
    order by 1, 2
  `
  const functions = await sql<Differences['functions']>`
    select name, has
    from (
      select
        proname as name,
        has_function_privilege(${name}, oid, 'EXECUTE') as has,
        has_function_privilege('public', oid, 'EXECUTE') as is_public
      from pg_proc
      where pronamespace = 'public'::regnamespace and proowner = ${schemaOwner(sql)}
    ) f
    where is_public or not has
    order by name
  `
  return {
    tables: tables.filter(({ table, right, has }) => has !== rightsOn(table, environment).includes(right)),
    functions: [...functions],
  }
}

type RoleFacts = {
  name: string
  isSuperuser: boolean
  canBecomeSuperuser: boolean
  canGrantRoles: boolean
  canReachServer: boolean
  isOwner: boolean
}

/**
 * Lists the rights that this connection's role has beyond reading and writing rows, as one phrase each.
 *
 * @param environment null if a later release granted the rights, because this program does not know them
 * @throws StartProblem if the role lacks a right
 */
export async function findExcessRights(sql: Sql, environment: EnvironmentName | null): Promise<string[]> {
  const [row] = await sql<RoleFacts[]>`
    select
      rolname as name,
      rolsuper as is_superuser,
      exists (select 1 from pg_roles where rolsuper and pg_has_role(oid, 'MEMBER')) as can_become_superuser,
      rolcreaterole as can_grant_roles,
      pg_has_role('pg_execute_server_program', 'MEMBER') or pg_has_role('pg_write_server_files', 'MEMBER')
        as can_reach_server,
      exists (
        select 1 from pg_class where relnamespace = 'public'::regnamespace and pg_has_role(relowner, 'MEMBER')
      ) as is_owner
    from pg_roles
    where rolname = current_user
  `
  const { name, isSuperuser, canBecomeSuperuser, canGrantRoles, canReachServer, isOwner } = row as RoleFacts
  const canCreate = await canChangeSchema(sql)
  const { tables, functions } =
    environment === null ? { tables: [], functions: [] } : await findDifferences(sql, { name, environment })
  const lacking = [
    ...tables.flatMap(({ table, right, has }) => (has ? [] : [`${right} on the table ${table}`])),
    ...functions.flatMap(({ name: fn, has }) => (has ? [] : [`EXECUTE on the function ${fn}`])),
  ]
  if (lacking.length > 0) {
    throw new StartProblem(
      `The role "${name}" lacks ${lacking[0]}. Run remit migrate with MIGRATE_DATABASE_URL to grant what the service needs.`,
    )
  }
  if (isSuperuser) return ['it is a superuser']
  return [
    ...(canBecomeSuperuser ? ['it can become a superuser'] : []),
    ...(canGrantRoles ? ['it can give itself other roles (CREATEROLE)'] : []),
    ...(canReachServer ? ['it can write files or run programs on the server'] : []),
    ...(isOwner ? ['it owns the tables'] : []),
    ...(canCreate ? ['it can create tables and functions'] : []),
    ...(isOwner ? [] : tables.map(({ right, table }) => `it has ${right} on ${table}`)),
  ]
}
