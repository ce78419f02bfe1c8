/**
 * Every error of the API: code, HTTP status and message (specification.md 1.8). `http/error-handler.ts` turns an `ApiError` into
 * an answer.
 */
export const apiErrors = {
  // request
  malformed_json: [400, 'The body is not valid JSON.'],
  invalid_request: [400, 'The request is not valid.'],
  invalid_text: [400, 'Text must be valid Unicode without the NUL character.'],
  invalid_cursor: [400, 'The cursor is not one that a Link header of this list and this sort gave.'],
  invalid_idempotency_key: [400, 'Idempotency-Key must have 1 to 255 visible ASCII characters.'],
  not_found: [404, 'There is nothing at this address.'],
  method_not_allowed: [405, 'This address does not answer to this method.'],
  request_timeout: [408, 'The request did not arrive in time.'],
  body_too_large: [413, 'The body is too large.'],
  unsupported_media_type: [415, 'The body must be JSON, with Content-Type: application/json.'],
  misdirected_request: [421, 'This service does not answer for this host. Use its own address.'],
  headers_too_large: [431, 'The headers are too large.'],

  // credentials
  unauthorized: [401, 'Send Authorization: API_KEY:API_SECRET with a valid key and its secret.'],
  invalid_token: [401, 'The access token is unknown, expired or revoked.'],
  not_signed_in: [401, 'Nobody is signed in, or the session has ended. Sign in again.'],
  insufficient_scope: [403, 'The access token does not allow this.'],
  foreign_origin: [403, 'A signed-in browser may do this from a page of this service only.'],
  confirmation_needed: [403, 'Confirm that it is you: enter your password or a code of your authenticator app.'],
  owner_only: [403, 'Only the owner of the platform may do this.'],
  not_the_sender: [403, 'Only the sender of the payment may do this.'],
  not_the_recipient: [403, 'Only the recipient of the payment may do this.'],
  not_the_holder: [403, 'Only the user who holds it may change it.'],

  // signing in
  wrong_login: [401, 'Email or password is wrong.'],
  wrong_password: [400, 'The password is wrong.'],
  weak_password: [400, 'The password is too easy to guess.'],
  wrong_code: [400, 'The code is wrong, or was used before.'],
  code_expired: [400, 'The code has expired, or was wrong too often. Ask for a new one.'],
  too_many_tries: [429, 'Too many tries. Try again later.'],
  session_not_found: [404, 'There is no such session.'],
  two_factor_is_on: [400, 'Two-factor authentication is on already.'],
  two_factor_is_off: [400, 'Two-factor authentication is off.'],

  // users
  email_taken: [400, 'An owner has this email address already.'],
  user_id_taken: [400, 'A user of this platform has this user_id already.'],
  user_not_found: [404, 'There is no such user.'],
  user_not_active: [
    403,
    'The user or its platform is suspended or closed: nothing can be sent, deposited, created or changed.',
  ],
  user_busy: [400, 'The user has money, debts, or payments that are on their way or can still come back.'],
  debt_open: [400, 'The user owes money, because a debit came back after it was paid out. Settle the debt first.'],
  no_debt: [400, 'The user owes nothing.'],
  last_api_key: [400, 'The last API key of a user with money or payments cannot be revoked. Issue another one first.'],
  user_is_owner: [400, 'The owner of a platform cannot be deleted.'],
  status_not_reachable: [400, 'This status cannot be reached from the present one.'],
  api_key_not_found: [404, 'There is no such API key.'],
  invalid_signature_image: [
    400,
    'The signature must be a PNG or JPEG image in base64, of at most 512 KiB and 2 million pixels.',
  ],

  // banks
  bank_exists: [400, 'This user has a bank with the same routing and account number already.'],
  bank_not_found: [404, 'There is no such bank.'],
  bank_not_verified: [400, 'Only a VERIFIED bank can send payments. Release and verify its micro-deposits first.'],
  no_verified_bank: [
    400,
    'The user has no default bank that is VERIFIED. Add and verify one, or name a VERIFIED one in account.',
  ],
  bank_not_deposit_only: [400, 'Micro-deposits can be released only to a bank that is DEPOSIT_ONLY.'],
  bank_not_pending: [400, 'The bank is not PENDING: release its micro-deposits first.'],
  no_pending_bank: [400, 'No bank of this user is PENDING: release the micro-deposits of one first.'],
  several_pending_banks: [400, 'Several banks of this user are PENDING. Name the bank in account.'],
  amounts_do_not_match: [400, 'The amounts are not those of the micro-deposits.'],
  release_limit_reached: [400, 'Micro-deposits are released to one bank at most 3 times in 30 days.'],
  bank_blocked: [400, 'This bank account is blocked: an entry came back from it. Use another bank account.'],
  bank_busy: [400, 'A payment from or into this bank is on its way.'],

  // payments
  payment_not_found: [404, 'There is no such payment.'],
  recipient_not_found: [404, 'The platform has no user with this id.'],
  invalid_recipient: [400, 'recipient must be an email address, a phone number, or a user_id of the platform.'],
  own_recipient: [400, 'A user cannot pay itself.'],
  recipient_not_active: [403, 'The recipient may not receive payments.'],
  invalid_deposit_option: [400, 'Invalid deposit option'],
  invalid_attachment: [400, 'attachment must be a PDF, PNG or JPEG file in base64.'],
  attachment_not_found: [404, 'The payment has no attachment.'],
  insufficient_funds: [400, 'The wallet does not hold enough.'],
  user_not_verified: [403, 'Only a VERIFIED user may send payments.'],
  payment_limit_reached: [400, 'The amount is above the limit of one payment.'],
  day_limit_reached: [400, 'The amount is above what is left of the limit of a day (GMT).'],
  month_limit_reached: [400, 'The amount is above what is left of the limit of a month (GMT).'],
  signature_needed: [400, 'A payment of this amount needs a stored signature: POST /v3/user/signature.'],
  wallet_not_found: [404, 'There is no such wallet.'],
  wallet_busy: [400, 'The wallet holds money, or a payment from it is on its way.'],
  destination_not_found: [404, 'There is no such account.'],
  destination_busy: [400, 'A payment into this account is on its way.'],
  not_voidable: [400, 'A payment in this status cannot be voided.'],
  not_depositable: [400, 'A payment in this status cannot be deposited.'],
  not_printable: [400, 'A payment in this status cannot be printed.'],
  unprintable_text: [400, 'On paper only Latin, Greek and Cyrillic letters can be drawn.'],
  check_not_ready: [400, 'The check can be printed once the money of its sender is here. Ask again later.'],
  paper_unavailable: [400, 'This service makes no paper checks: its operator has named no bank account for them.'],
  return_code_not_found: [404, 'There is no such return code. docs/return-codes.md lists all of them.'],
  link_not_found: [404, 'This link leads to no payment. There may be a newer one in your mail.'],
  wrong_pin: [400, 'The PIN is wrong.'],
  payment_expired: [400, 'The payment has expired. Ask the sender for a new one.'],
  not_notifiable: [400, 'The recipient has no email address, or can no longer choose how to be paid.'],
  notify_limit_reached: [400, 'The recipient is sent at most 4 emails of a payment in 24 hours.'],

  // webhooks
  endpoint_not_found: [404, 'There is no such endpoint.'],
  endpoint_exists: [400, 'There is an endpoint with this URL already.'],
  endpoint_limit_reached: [400, 'An owner has at most 50 endpoints.'],
  endpoint_disabled: [400, 'The endpoint is disabled. Enable it first.'],
  endpoint_removed: [400, 'The endpoint has been removed.'],
  event_not_found: [404, 'There is no such event. Events are kept for 30 days.'],
  delivery_not_found: [404, 'There is no such delivery. Deliveries are kept for 30 days.'],
  delivery_pending: [400, 'The delivery is on its way already.'],

  // applications and developer settings
  no_webhook_url: [400, 'There is no webhook URL yet. Save one first.'],
  listener_not_found: [404, 'There is no such listener: one that does not poll for an hour is removed.'],
  listener_limit_reached: [400, 'An owner has at most 50 listeners.'],
  secret_not_kept: [400, 'This client secret cannot be shown: only its hash is stored. Rotate it to get one that can.'],
  application_not_found: [404, 'There is no such application.'],
  grant_not_found: [404, 'There is no such grant, or it has ended.'],
  authorization_expired: [
    400,
    'This authorization request is unknown, answered or too old. Go back to the application and begin again.',
  ],
  owner_changed: [400, 'Somebody else has signed in meanwhile. Look at the page again.'],

  // limits and temporary problems
  idempotency_key_in_use: [409, 'A request with this Idempotency-Key is still running. Try again shortly.'],
  idempotency_key_reused: [422, 'This Idempotency-Key belongs to a request with another body.'],
  rate_limited: [429, 'Too many requests.'],
  internal_error: [500, 'Something went wrong on our side.'],
  overloaded: [503, 'The service is overloaded. Try again shortly.'],
  database_unavailable: [503, 'The database cannot be reached. Try again shortly.'],
  outcome_unknown: [
    503,
    'The connection to the database was lost while the request was being committed. Look whether it was done, or repeat it with the same Idempotency-Key if it had one.',
  ],
} as const satisfies Record<string, readonly [status: number, message: string]>

export type ErrorCode = keyof typeof apiErrors

/** Field path → problems: `{"recipient.account": ["is required"]}`. */
export type FieldErrors = Record<string, string[]>

/** An error that is returned to the caller. */
export class ApiError extends Error {
  readonly code: ErrorCode
  readonly status: number
  readonly fields: FieldErrors | undefined
  /** The value of the `Retry-After` header. */
  readonly retryAfterSeconds: number | undefined

  /** `status` overrides the code's status, for a refused sign-in. */
  constructor(
    code: ErrorCode,
    options: { message?: string; fields?: FieldErrors; status?: 401; retryAfterSeconds?: number } = {},
  ) {
    super(options.message ?? apiErrors[code][1])
    this.code = code
    this.status = options.status ?? apiErrors[code][0]
    this.fields = options.fields
    this.retryAfterSeconds = options.retryAfterSeconds
  }
}

/** Runs an action and attributes its errors to `field`, because the action does not know the request's fields. */
export async function attributeErrorsTo<T>(field: string, action: Promise<T>): Promise<T> {
  try {
    return await action
  } catch (error) {
    if (!(error instanceof ApiError) || error.fields || error.status >= 500) throw error
    throw new ApiError(error.code, { message: error.message, fields: { [field]: [error.message] } })
  }
}

/** An error about one field of the request. */
export const fieldError = (code: ErrorCode, field: string, problem: string): ApiError =>
  new ApiError(code, { message: `${field} ${problem}`, fields: { [field]: [problem] } })
