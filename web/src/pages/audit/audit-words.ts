import type { AuditEntry } from '../../answers.ts'

const actions: Record<string, string> = {
  sign_up: 'Signed up',
  sign_in: 'Signed in',
  sign_in_refused: 'Sign-in refused',
  sign_out: 'Signed out',
  password_changed: 'Password changed',
  password_reset: 'Password reset by email',
  email_changed: 'Email changed',
  two_factor_on: 'Two-factor sign-in turned on',
  two_factor_off: 'Two-factor sign-in turned off',
  recovery_codes_renewed: 'Recovery codes renewed',
  recovery_code_used: 'Recovery code used',
  session_ended: 'Session ended',
  sessions_ended: 'Signed out everywhere',
  api_key_created: 'API key created',
  api_key_revoked: 'API key revoked',
  webhook_uri_changed: 'Webhook URL changed',
  webhook_key_rotated: 'Signing key rotated',
  endpoint_created: 'Webhook endpoint added',
  endpoint_changed: 'Webhook endpoint changed',
  endpoint_enabled: 'Webhook endpoint enabled',
  endpoint_disabled: 'Webhook endpoint disabled',
  endpoint_removed: 'Webhook endpoint deleted',
  webhooks_replayed: 'Webhooks replayed',
  profile_changed: 'Profile changed',
  user_created: 'User created',
  user_deleted: 'User deleted',
  user_verified: 'User verified',
  user_suspended: 'User suspended',
  user_closed: 'User closed',
  limits_changed: 'Limits changed',
  recipient_mail_limited: 'Mail to recipients waits: daily limit reached',
  recipient_mail_refused: 'Recipient refused mail',
  bank_corrected: 'Bank account corrected by its bank',
  bank_blocked: 'Bank account blocked',
  bank_unblocked: 'Bank account unblocked',
  debt_settled: 'Debt settled',
  exception_opened: 'Sent to the operator for review',
  bank_file_late: 'Bank file late',
  bank_file_accepted: 'Bank file accepted',
  bank_file_rejected: 'Bank file rejected',
  bank_file_canceled: 'Bank file canceled',
  bank_file_resent: 'Bank file sent again',
  exception_closed: 'Review closed by the operator',
  application_created: 'Application created',
  application_changed: 'Application changed',
  application_deleted: 'Application deleted',
  client_secret_rotated: 'Client secret rotated',
  grant_created: 'Application authorized',
  grant_revoked: 'Application disconnected',
  grant_denied: 'Application denied',
}

/** An action that this version of the app does not know is shown with its own words. */
export const actionWords = (action: string) =>
  actions[action] ?? action.charAt(0).toUpperCase() + action.slice(1).replaceAll('_', ' ')

const actors: Record<AuditEntry['actor'], string> = {
  owner: 'You',
  api_key: 'API key',
  application: 'Application',
  operator: 'Operator',
  service: 'Remit',
  anonymous: 'Somebody', // a wrong password does not make an owner
}

export const actorWords = ({ actor }: AuditEntry): string => actors[actor]
