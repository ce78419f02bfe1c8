import type { SealPurpose } from '../core/seal.ts'

/** A column of sealed values. A key rotation seals each value again with the new key. */
export type SealedColumn = {
  table: string
  column: string
  /** The purposes for which its values are sealed. */
  purposes: readonly SealPurpose[]
  /** The name of the values for the operator. */
  what: string
  /** Whether values are so long that each is read alone. */
  isLong?: boolean
}

/** All columns of sealed values. Their names end with `_sealed`. */
export const sealedColumns: readonly SealedColumn[] = [
  { table: 'users', column: 'ssn_sealed', purposes: ['user ssn'], what: 'SSNs' },
  { table: 'users', column: 'tax_id_sealed', purposes: ['user tax id'], what: 'tax ids' },
  { table: 'users', column: 'webhook_key_sealed', purposes: ['webhook key'], what: 'webhook keys' },
  { table: 'users', column: 'previous_webhook_key_sealed', purposes: ['webhook key'], what: 'previous webhook keys' },
  { table: 'full_bodies', column: 'body_sealed', purposes: ['webhook body'], what: 'full bodies of webhooks' },
  { table: 'request_log', column: 'body_sealed', purposes: ['request body'], what: 'bodies of requests' },
  { table: 'signatures', column: 'image_sealed', purposes: ['user signature'], what: 'signatures', isLong: true },
  { table: 'payment_recipients', column: 'pin_sealed', purposes: ['payment pin'], what: 'PINs of several recipients' },
  {
    table: 'payment_recipients',
    column: 'signature_sealed',
    purposes: ['user signature'],
    what: 'endorsements',
    isLong: true,
  },
  { table: 'banks', column: 'account_sealed', purposes: ['bank account'], what: 'bank accounts' },
  { table: 'account_corrections', column: 'given_sealed', purposes: ['bank account'], what: 'accounts to correct' },
  { table: 'account_corrections', column: 'account_sealed', purposes: ['bank account'], what: 'corrected accounts' },
  { table: 'banks', column: 'micro_deposits_sealed', purposes: ['micro-deposits'], what: 'micro-deposits' },
  { table: 'bank_trials', column: 'account_sealed', purposes: ['bank account'], what: 'accounts with trials' },
  { table: 'account_blocks', column: 'account_sealed', purposes: ['bank account'], what: 'blocked accounts' },
  { table: 'destinations', column: 'account_sealed', purposes: ['bank account', 'card number'], what: 'destinations' },
  {
    table: 'institution_logins',
    column: 'state_sealed',
    purposes: ['institution login'],
    what: 'logins at institutions',
  },
  {
    table: 'confirmed_accounts',
    column: 'account_sealed',
    purposes: ['bank account'],
    what: 'accounts confirmed by institutions',
  },
  {
    table: 'directory_accounts',
    column: 'number_sealed',
    purposes: ['bank account', 'card number'],
    what: 'accounts of saved payees',
  },
  { table: 'payments', column: 'pin_sealed', purposes: ['payment pin'], what: 'PINs of payments' },
  { table: 'approvals', column: 'pin_sealed', purposes: ['payment pin'], what: 'PINs of approvals' },
  { table: 'batch_rows', column: 'account_sealed', purposes: ['bank account'], what: 'accounts of batches' },
  {
    table: 'exchange_parts',
    column: 'content_sealed',
    purposes: ['ach file', 'print file', 'inbound file'],
    what: 'files to and from banks',
    isLong: true,
  },
  {
    table: 'exchange_parts',
    column: 'wire_sealed',
    purposes: ['ach file', 'print file'],
    what: 'encrypted files for banks',
    isLong: true,
  },
  {
    table: 'ach_corrections',
    column: 'corrected_sealed',
    purposes: ['ach correction'],
    what: 'corrections of accounts',
  },
  { table: 'ach_returns', column: 'account_sealed', purposes: ['ach return'], what: 'accounts of returns' },
  { table: 'bank_cases', column: 'content_sealed', purposes: ['bank case'], what: 'cases of bank files' },
  { table: 'bank_cases', column: 'account_sealed', purposes: ['bank case'], what: 'accounts held by cases' },
  {
    table: 'inbound_contents',
    column: 'content_sealed',
    purposes: ['inbound file'],
    what: 'files from the bank',
    isLong: true,
  },
  {
    table: 'statement_lines',
    column: 'content_sealed',
    purposes: ['statement line'],
    what: 'lines of bank statements',
  },
  { table: 'wallet_numbers', column: 'number_sealed', purposes: ['wallet number'], what: 'account numbers of wallets' },
  { table: 'closed_months', column: 'report_sealed', purposes: ['month report'], what: 'reports of closed months' },
  { table: 'check_serials', column: 'account_sealed', purposes: ['paper account'], what: 'accounts of checks' },
  { table: 'logins', column: 'totp_sealed', purposes: ['two-factor seed'], what: 'two-factor seeds' },
  { table: 'logins', column: 'totp_pending_sealed', purposes: ['two-factor seed'], what: 'pending two-factor seeds' },
  { table: 'applications', column: 'secret_sealed', purposes: ['client secret'], what: 'client secrets' },
  { table: 'verifications', column: 'details_sealed', purposes: ['verification'], what: 'sign-ups under way' },
  {
    table: 'authorization_requests',
    column: 'payload_sealed',
    purposes: ['authorization request'],
    what: 'authorizations under way',
  },
  { table: 'letter_scans', column: 'scan_sealed', purposes: ['mail scan'], what: 'scans of mail', isLong: true },
  { table: 'mails', column: 'content_sealed', purposes: ['mail'], what: 'mails' },
  {
    table: 'mail_suppressions',
    column: 'email_sealed',
    purposes: ['suppressed email'],
    what: 'addresses that refuse mail',
  },
  {
    table: 'idempotency_records',
    column: 'answer_sealed',
    purposes: ['idempotency answer'],
    what: 'answers with a secret',
  },
]

/**
 * A column of digests. `fate` is how old digests end after a key rotation. A background pass recomputes them (`renewed`), they expire
 * (`expires`), or the owner of the original value replaces them (`owner`).
 */
export type DigestColumn = {
  table: string
  column: string
  fate: 'renewed' | 'expires' | 'owner'
  what: string
  /** The expression for the time when a value expires, in SQL. */
  until?: string
}

/** All columns of digests: those whose name ends with `_digest`, and the fingerprints of requests. */
export const digestColumns: readonly DigestColumn[] = [
  { table: 'banks', column: 'account_digest', fate: 'renewed', what: 'digests of bank accounts' },
  { table: 'bank_trials', column: 'account_digest', fate: 'renewed', what: 'digests of accounts with trials' },
  { table: 'account_blocks', column: 'account_digest', fate: 'renewed', what: 'digests of blocked accounts' },
  { table: 'account_corrections', column: 'account_digest', fate: 'renewed', what: 'digests of accounts to correct' },
  { table: 'account_corrections', column: 'corrected_digest', fate: 'renewed', what: 'digests of corrected accounts' },
  { table: 'ach_entries', column: 'account_digest', fate: 'renewed', what: 'digests of ACH entries' },
  {
    table: 'ach_recovered_entries',
    column: 'account_digest',
    fate: 'renewed',
    what: 'digests of recovered ACH entries',
  },
  { table: 'check_serials', column: 'account_digest', fate: 'renewed', what: 'digests of accounts of checks' },
  { table: 'check_numbers', column: 'account_digest', fate: 'renewed', what: 'digests of check numbers' },
  { table: 'paper_checks', column: 'account_digest', fate: 'renewed', what: 'digests of checks' },
  {
    table: 'wallet_numbers',
    column: 'number_digest',
    fate: 'renewed',
    what: 'digests of account numbers of wallets',
  },
  {
    table: 'mail_suppressions',
    column: 'email_digest',
    fate: 'renewed',
    what: 'digests of addresses that refuse mail',
  },
  { table: 'mail_recipients', column: 'email_digest', fate: 'renewed', what: 'digests of recipients' },
  {
    table: 'mail_addresses',
    column: 'email_digest',
    fate: 'expires',
    what: 'counts of mail to an address',
    until: '(day + 2)::timestamptz',
  },
  {
    table: 'idempotency_records',
    column: 'key_digest',
    fate: 'expires',
    what: 'Idempotency-Keys',
    until: "created_at + interval '24 hours'",
  },
  {
    table: 'idempotency_records',
    column: 'fingerprint',
    fate: 'expires',
    what: 'fingerprints of requests',
    until: "created_at + interval '24 hours'",
  },
  {
    table: 'payments',
    column: 'key_digest',
    fate: 'expires',
    what: 'Idempotency-Keys of payments',
    until: "key_at + interval '24 hours'",
  },
  {
    table: 'payments',
    column: 'fingerprint',
    fate: 'expires',
    what: 'fingerprints of payment requests',
    until: "key_at + interval '24 hours'",
  },
  {
    table: 'grants',
    column: 'spent_by_key_digest',
    fate: 'expires',
    what: 'Idempotency-Keys of single-use grants',
    until: "spent_at + interval '24 hours'",
  },
  { table: 'verifications', column: 'code_digest', fate: 'expires', what: 'codes sent by mail', until: 'expires_at' },
  { table: 'tries', column: 'subject_digest', fate: 'expires', what: 'counts of failed tries', until: 'forgotten_at' },
  { table: 'recovery_codes', column: 'code_digest', fate: 'owner', what: 'recovery codes' },
]
