// Where the rows of each table are on a cluster. The rows of a tenant table are on the node of their platform, and each key of such
// a table has platform_id. See docs/adr/0016-tenancy.md.

/** Rows that are found by a credential or an address. Each names its platform, whose node may be down. */
const FOUND_BY_KEY: readonly string[] = [
  'api_keys',
  'applications',
  'authorization_requests',
  'check_numbers',
  'invitations',
  'invoice_links',
  'login_emails',
  'login_platforms',
  'logins',
  'mailbox_numbers',
  'oauth_tokens',
  'receiving_addresses',
  'recipient_links',
  'recovery_codes',
  'sessions',
  'tries',
  'verifications',
]

/** The files of the bank and the post, mail, the log of requests, and what the installation knows of itself. Nodes have a copy of settings. */
const OF_THE_INSTALLATION: readonly string[] = [
  'ach_acknowledgements',
  'ach_corrections',
  'ach_entries',
  'ach_files',
  'ach_inbound_files',
  'ach_inbound_parts',
  'ach_recovered_entries',
  'ach_returns',
  'ach_set_aside',
  'bank_cases',
  'bank_file_exchange',
  'bank_file_parts',
  'bank_file_platforms',
  'bank_file_recoveries',
  'bank_files',
  'check_serials',
  'inbound_contents',
  'mail_addresses',
  'mail_suppressions',
  'mailbox_files',
  'mails',
  'master_keys',
  'migrations',
  'paid_files',
  'recovered_checks',
  'request_log',
  'schema_release',
  'settings',
  'sql_functions',
]

/** Whether the rows of a table are distributed by platform_id. Other tables are on one node. */
export const isTenantTable = (table: string): boolean =>
  !FOUND_BY_KEY.includes(table) && !OF_THE_INSTALLATION.includes(table) && !/^request_log_\d$/.test(table)
