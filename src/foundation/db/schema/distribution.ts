// The location of the rows of each table on a cluster. The rows of a tenant table are on the node of their platform, and each key of the
// table contains platform_id (docs/adr/0016-tenancy.md).

/** Tables that are searched by a credential or an address, which does not name the platform. Each row names its platform. */
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
  'wallet_numbers',
]

/**
 * Tables that belong to the whole installation: files of the bank and the printer, mail, the request log, and settings. Each node has a
 * copy of the settings.
 */
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
  'bank_statements',
  'bank_cases',
  'closed_months',
  'connection_states',
  'exchange_parts',
  'exchange_platforms',
  'exchange_recoveries',
  'exchanges',
  'check_serials',
  'inbound_contents',
  'iso_orders',
  'line_decisions',
  'line_postings',
  'line_references',
  'mail_addresses',
  'mail_suppressions',
  'mailbox_files',
  'mails',
  'master_keys',
  'migrations',
  'paid_files',
  'processor_events',
  'recovered_checks',
  'recovered_orders',
  'request_log',
  'request_settings',
  'schema_release',
  'settings',
  'sql_functions',
  'statement_files',
  'statement_lines',
]

/** Returns whether the rows of a table are distributed by platform_id. Other tables are on one node. */
export const isTenantTable = (table: string): boolean =>
  !FOUND_BY_KEY.includes(table) && !OF_THE_INSTALLATION.includes(table) && !/^request_log_\d$/.test(table)
