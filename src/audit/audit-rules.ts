/**
 * What is written down: sign-ins, each change that matters to money, changes of keys and secrets, grants, settings, and
 * what the operator decides.
 */
export const AUDIT_ACTIONS = [
  'sign_up',
  'sign_in',
  'sign_in_refused',
  'sign_out',
  'session_ended',
  'sessions_ended',
  'password_changed',
  'password_reset',
  'email_changed',
  'two_factor_on',
  'two_factor_off',
  'recovery_codes_renewed',
  'recovery_code_used',
  'api_key_created',
  'api_key_revoked',
  'webhook_uri_changed',
  'webhook_key_rotated',
  'endpoint_created',
  'endpoint_changed',
  'endpoint_enabled',
  'endpoint_disabled',
  'endpoint_removed',
  'webhooks_replayed',
  'profile_changed',
  'owner_created',
  'user_created',
  'user_deleted',
  'user_verified',
  'user_suspended',
  'user_closed',
  'limits_changed',
  'recipient_mail_limited',
  'recipient_mail_refused',
  'user_status_triggered',
  'signature_stored',
  'bank_added',
  'bank_verified',
  'bank_default_changed',
  'bank_billing_changed',
  'bank_removed',
  'bank_corrected',
  'bank_blocked',
  'bank_unblocked',
  'wallet_added',
  'wallet_removed',
  'destination_added',
  'destination_default_changed',
  'destination_removed',
  'payment_deposited',
  'payment_printed',
  'payment_voided',
  'clock_advanced',
  'debt_settled',
  'exception_opened',
  'exception_closed',
  'master_key_rotated',
  'bank_file_late',
  'bank_file_accepted',
  'bank_file_rejected',
  'bank_file_canceled',
  'bank_file_resent',
  'application_created',
  'application_changed',
  'application_deleted',
  'client_secret_rotated',
  'client_secret_shown',
  'grant_created',
  'grant_denied',
  'grant_revoked',
] as const

export type AuditAction = (typeof AUDIT_ACTIONS)[number]

/**
 * Who acted: somebody signed in, a program with an API key, an application, the operator of the service, nobody known, or
 * the service by itself.
 */
export const AUDIT_ACTORS = ['owner', 'api_key', 'application', 'operator', 'anonymous', 'service'] as const

export type AuditActor = (typeof AUDIT_ACTORS)[number]

/** What the list can be sorted by. */
export const auditSorts = { DATE: 'timestamptz' } as const
