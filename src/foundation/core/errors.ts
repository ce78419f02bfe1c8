/**
 * All errors of the API: code, HTTP status and message (specification.md 1.8). A message says what is wrong and then what to do.
 * `http/error-handler.ts` turns an `ApiError` into an answer.
 */
export const apiErrors = {
  // request
  malformed_json: [400, 'The body is not valid JSON. Check its syntax.'],
  invalid_request: [400, 'The request is invalid. Check the fields listed in errors.'],
  invalid_text: [
    400,
    'The text contains characters that are not allowed. Send valid Unicode without the NUL character.',
  ],
  invalid_cursor: [
    400,
    'The cursor is invalid for this list and sort order. Use one from the Link header of this list.',
  ],
  invalid_idempotency_key: [400, 'The Idempotency-Key is invalid. Use 1 to 255 visible ASCII characters.'],
  not_found: [404, 'This URL does not exist. Check its path.'],
  method_not_allowed: [405, 'This URL does not support this method. See the Allow header.'],
  request_timeout: [408, 'The request took too long to arrive. Send it again.'],
  body_too_large: [413, 'The request body is too large. Send a smaller one.'],
  unsupported_media_type: [415, 'The body must be JSON. Send it with Content-Type: application/json.'],
  misdirected_request: [421, 'This service does not answer for this host. Use the service’s own address.'],
  headers_too_large: [431, 'The request headers are too large. Send fewer or shorter ones.'],

  // credentials
  unauthorized: [
    401,
    'The API key or its secret is missing or invalid. Send both as Authorization: API_KEY:API_SECRET.',
  ],
  invalid_token: [401, 'The access token is unknown, expired or revoked. Request a new one.'],
  not_signed_in: [401, 'You are not signed in, or your session has ended. Sign in again.'],
  insufficient_scope: [
    403,
    'The access token does not have the scope that this request needs. Ask the account holder to authorize it.',
  ],
  foreign_origin: [403, 'This request came from another website. Use a page of this service instead.'],
  confirmation_needed: [
    403,
    'This action needs confirmation. Enter your password or a code from your authenticator app.',
  ],
  permission_denied: [
    403,
    'Your role or API key does not have the permission that this request needs. Ask an owner of the platform.',
  ],
  two_factor_required: [
    403,
    'Your platform requires two-factor authentication. Set it up on the page Security before you continue.',
  ],
  shared_by_all: [
    403,
    'Everyone shares the demo account, so its password, email, two-factor settings, role and published API key cannot be changed. Sign up for your own account.',
  ],
  owner_only: [403, 'Only the owner of the platform can do this. Use the owner’s credentials.'],
  not_the_sender: [
    403,
    'Only the sender of the payment and the owner of its platform can do this. Use their credentials.',
  ],
  not_the_recipient: [403, 'Only the recipient of the payment can do this. Use the recipient’s credentials.'],
  not_the_holder: [403, 'Only the account holder can change this account. Use the account holder’s credentials.'],

  // signing in
  wrong_login: [401, 'The email or password is incorrect. Try again.'],
  no_platform: [
    403,
    'You are not a member of any platform. Ask an owner or an admin of your platform to invite you again.',
  ],
  last_owner: [
    400,
    'The last owner of a platform cannot leave or get another role. Make another member an owner first.',
  ],
  member_not_found: [404, 'There is no such member. It may have been removed already.'],
  already_member: [400, 'This person is already a member of the platform. Change the role on the page Team instead.'],
  team_full: [400, 'A team has at most 200 members and open invitations. Remove a member or revoke an invitation.'],
  invitation_not_found: [
    404,
    'This invitation was used or revoked, or has expired. Ask the person who invited you for a new one.',
  ],
  invitation_for_another: [
    403,
    'This invitation is for another email address. Sign out, and accept it with the address that was invited.',
  ],
  platform_not_found: [404, 'You are not a member of this platform. Choose one of yours.'],
  platform_changed: [409, 'You switched to another platform in this browser. Reload the page to continue there.'],
  wrong_password: [400, 'The password is incorrect. Try again.'],
  weak_password: [400, 'The password is too easy to guess. Choose a longer one.'],
  wrong_code: [400, 'The code is incorrect or was already used. Enter a new one.'],
  code_expired: [400, 'The code has expired or was entered incorrectly too many times. Request a new one.'],
  too_many_tries: [429, 'Too many attempts. Try again later.'],
  session_not_found: [404, 'There is no such session. It may have ended already.'],
  two_factor_is_on: [400, 'Two-factor authentication is already on. Turn it off before you set it up again.'],
  two_factor_is_off: [400, 'Two-factor authentication is off. Turn it on first.'],

  // users
  email_taken: [400, 'Another owner already uses this email address. Use a different one.'],
  user_id_taken: [400, 'Another user of this platform already has this user_id. Use a different one.'],
  user_not_found: [404, 'There is no such user. Check the id.'],
  user_not_active: [
    403,
    'The user or its platform is suspended or closed, so it cannot send, deposit or change anything. Contact the operator.',
  ],
  user_busy: [400, 'The user still has money, debts or open payments. Resolve them first.'],
  debt_open: [
    400,
    'The user owes money because a debit or a credit was returned after its money was used. Settle the debt first.',
  ],
  no_debt: [400, 'The user owes nothing, so there is no debt to settle.'],
  last_api_key: [
    400,
    'This is the last API key of a user with money or payments. Create another key before you revoke it.',
  ],
  user_is_owner: [400, 'The owner of a platform cannot be deleted.'],
  status_not_reachable: [400, 'The current status cannot change to this one. Choose another status.'],
  api_key_not_found: [404, 'There is no such API key. Check it for typos.'],
  invalid_signature_image: [
    400,
    'The signature is invalid. Send a PNG or JPEG image in base64, with at most 512 KiB and 2 million pixels.',
  ],

  // confirmation of accounts by institutions
  not_configured: [400, 'This service is not set up for this call. Ask the operator to configure it.'],
  institution_not_found: [404, 'There is no such institution. Take one from GET /v3/bank/institutions.'],
  challenge_not_found: [404, 'There is no such mfa_id. It was answered already or has expired: sign in again.'],
  institution_login_refused: [400, 'The institution refused the login. Check the fields and try again.'],
  institution_login_locked: [400, 'The institution has locked this login. Contact the institution.'],
  institution_unavailable: [400, 'The institution is not available now. Try again later.'],
  invalid_processor_token: [400, 'The processor token is unknown or has expired. Create a new one.'],

  // banks
  bank_exists: [400, 'This user already has a bank with this routing and account number. Use that one.'],
  bank_not_found: [404, 'There is no such bank. Check its id.'],
  bank_not_verified: [400, 'This bank account is not verified yet. Release and confirm its two micro-deposits first.'],
  no_verified_bank: [400, 'The user has no verified default bank. Verify one, or name a verified one in account.'],
  bank_not_deposit_only: [
    400,
    'This bank is not DEPOSIT_ONLY, so no micro-deposits can be released. If it is PENDING, confirm the ones already sent.',
  ],
  bank_not_pending: [400, 'This bank is not PENDING, so there are no micro-deposits to confirm. Release them first.'],
  no_pending_bank: [400, 'This user has no PENDING bank. Release the micro-deposits of one first.'],
  several_pending_banks: [400, 'This user has several PENDING banks. Name one of them in account.'],
  amounts_do_not_match: [400, 'The amounts do not match the micro-deposits. Check the bank statement and try again.'],
  release_limit_reached: [
    400,
    'Micro-deposits were already released to this bank 3 times in 30 days. Try again later.',
  ],
  bank_blocked: [400, 'This bank account is blocked because an entry was returned. Use another bank account.'],
  bank_busy: [400, 'A payment from or into this bank is in progress. Wait until it is final.'],

  // payments
  payment_not_found: [404, 'There is no such payment. Check its id.'],
  endorse_only: [403, 'You can only endorse this payment. Another recipient deposits it.'],
  endorsements_missing: [400, 'All other recipients must endorse the payment first.'],
  not_endorsable: [400, 'The payment cannot be endorsed: it has one recipient, was endorsed already, or has ended.'],
  invalid_rows: [400, 'Nothing was sent, because rows of the file have problems. Correct the rows listed in errors.'],
  recipient_not_found: [404, 'The platform has no such user, and the sender no such saved payee. Check the recipient.'],
  invalid_recipient: [
    400,
    'The recipient is invalid. Use an email address, a phone number, or a user_id of the platform.',
  ],
  own_recipient: [400, 'A user cannot pay itself. Choose another recipient.'],
  recipient_not_active: [403, 'This recipient cannot receive payments. Choose another one.'],
  invalid_deposit_option: [400, 'Invalid deposit option. Choose one that this payment offers.'],
  invalid_attachment: [400, 'The attachment is invalid. Send a PDF, PNG or JPEG file in base64.'],
  attachment_not_found: [404, 'There is no attachment.'],
  insufficient_funds: [400, 'The wallet balance is too low. Add funds or send a smaller amount.'],
  user_not_verified: [403, 'Only VERIFIED users can send payments. Ask the operator to verify this user.'],
  payment_limit_reached: [400, 'The amount exceeds the limit for one payment. Send a smaller amount.'],
  day_limit_reached: [400, 'The amount exceeds what is left of the daily limit. Send less, or wait until tomorrow.'],
  month_limit_reached: [
    400,
    'The amount exceeds what is left of the monthly limit. Send less, or wait until next month.',
  ],
  signature_needed: [
    400,
    'A payment of this amount needs a signature on file. Store one with POST /v3/user/signature.',
  ],
  approval_required: [
    403,
    'This payment needs an approval. Prepare it with /v3/approval instead, so that another person can release it.',
  ],
  approval_not_found: [404, 'There is no such approval. Check its id.'],
  approval_changed: [
    409,
    'This payment or the account of its payee was changed after you looked at it. Look at it again before you approve it.',
  ],
  batch_not_found: [404, 'There is no such batch. Check its id.'],
  batch_changed: [
    400,
    'This batch or the account of a payee was changed after you looked at it. Look at it again before you approve it.',
  ],
  policy_change_not_found: [404, 'There is no such change of the approval policy. Another one may have replaced it.'],
  approval_not_open: [400, 'This approval was released or voided already.'],
  subscription_not_found: [404, 'There is no such subscription. Check its id.'],
  subscription_not_active: [400, 'This subscription has ended or was canceled already.'],
  invoice_not_found: [404, 'There is no such invoice. Check its id.'],
  invoice_not_payable: [400, 'This invoice was voided, or its payment is on its way or has arrived.'],
  invoice_without_link: [
    400,
    'Only an invoice to a recipient without an account has a link. Other recipients sign in to pay.',
  ],
  second_person_needed: [
    403,
    'Another person must approve this first. Nobody who prepared or edited a payment can approve it, and an API key counts as the person who created it.',
  ],
  approval_payee_changed: [
    400,
    'The recipient of this payment is another user now than when it was prepared. Edit the recipient, so that it is checked again.',
  ],
  wallet_not_found: [404, 'There is no such wallet. Check its id.'],
  wallet_busy: [
    400,
    'The wallet holds money, or a payment from it is in progress. Empty it and wait until its payments are final.',
  ],
  destination_not_found: [404, 'There is no such account. Check its id.'],
  directory_entry_not_found: [404, 'There is no such saved payee. Check its id.'],
  directory_account_not_found: [404, 'This saved payee has no such account. Check its id.'],
  directory_account_limit_reached: [400, 'This saved payee already has 50 accounts, the maximum. Remove one first.'],
  card_not_empty: [400, 'There is money on this card. Spend it before you delete the card.'],
  card_overdrawn: [
    400,
    'This card is below zero because a payout came back after it was spent. Pay into the card first.',
  ],
  card_transaction_not_found: [404, 'This card has no such transaction. Check its id.'],
  destination_busy: [400, 'A payment into this account is in progress. Wait until it is final.'],
  not_voidable: [400, 'This payment cannot be voided in its current status.'],
  not_claimable: [
    400,
    'This payment can no longer be added to an account. It was deposited, voided, or added to another one.',
  ],
  not_depositable: [400, 'This payment cannot be deposited in its current status.'],
  not_printable: [400, 'This payment cannot be printed in its current status.'],
  unprintable_text: [400, 'Part of the text cannot be printed on a check. Use Latin, Greek or Cyrillic letters.'],
  check_not_ready: [
    400,
    'The check cannot be printed yet: the sender’s money has not arrived, or a user is suspended. Try again later.',
  ],
  checkbook_not_found: [404, 'There is no such checkbook. Check its id.'],
  checkbook_not_cancelable: [400, 'This checkbook is not PENDING, so it can no longer be canceled.'],
  mailbox_not_found: [404, 'There is no such mailbox. Check its id.'],
  subscription_limit_reached: [400, 'You already have 1,000 active subscriptions, the maximum. Cancel one first.'],
  approval_limit_reached: [400, 'You already have 1,000 open approvals, the maximum. Release or void one first.'],
  batch_limit_reached: [400, 'You already have 20 open batches, the maximum. Release or delete one first.'],
  mailbox_limit_reached: [400, 'You already have 10 mailboxes, the maximum.'],
  check_scanned_twice: [400, 'A check of this mail was scanned before. A check can be deposited only once.'],
  mail_not_found: [404, 'This mailbox has no such mail. Check its id.'],
  check_number_reserved: [400, 'This number belongs to one of your checkbooks. Use another one.'],
  check_numbers_taken: [400, 'Another checkbook of this account has some of these numbers. Use higher ones.'],
  paper_unavailable: [400, 'Paper checks are not available. The operator must first set up a bank account for them.'],
  return_code_not_found: [404, 'There is no such return code. See docs/return-codes.md for all of them.'],
  link_not_found: [404, 'This payment link is invalid or was replaced. Look for a newer one in your email.'],
  wrong_pin: [400, 'The PIN is incorrect. Try again.'],
  payment_expired: [400, 'This payment has expired. Ask the sender for a new one.'],
  not_notifiable: [
    400,
    'The recipient cannot be notified: there is no email address, or the payment is no longer open.',
  ],
  notify_limit_reached: [400, 'The recipient already got 4 emails about this in 24 hours. Try again later.'],

  // bank statements
  line_not_decided: [400, 'The line of the bank statement cannot be decided this way. Look at it again.'],
  month_not_found: [404, 'There is no such closed month. Load the page again.'],

  // saved views
  view_not_found: [404, 'There is no such view. It may have been deleted.'],
  view_exists: [400, 'A view with this name already exists. Use another name.'],
  view_limit_reached: [400, 'You already have 50 saved views, the maximum. Delete one first.'],

  // webhooks
  request_not_found: [404, 'There is no such request in the log. Requests are kept for seven days.'],
  endpoint_not_found: [404, 'There is no such endpoint. Check its id.'],
  endpoint_exists: [400, 'An endpoint with this URL already exists. Use that one, or another URL.'],
  endpoint_limit_reached: [400, 'You already have 50 endpoints, the maximum. Remove one first.'],
  endpoint_disabled: [400, 'The endpoint is disabled. Enable it first.'],
  endpoint_removed: [400, 'The endpoint was removed. Send the event to another one.'],
  event_not_found: [404, 'There is no such event. Events are kept for 30 days.'],
  delivery_not_found: [404, 'There is no such delivery. Deliveries are kept for 30 days.'],
  delivery_pending: [400, 'This delivery is already in progress. Wait for its result.'],

  // applications and developer settings
  no_webhook_url: [400, 'There is no webhook URL yet. Save one first.'],
  listener_not_found: [
    404,
    'There is no such listener. It is removed when it does not poll for an hour. Create a new one.',
  ],
  listener_limit_reached: [400, 'You already have 50 listeners, the maximum. Stop one first.'],
  secret_not_kept: [
    400,
    'This client secret cannot be shown because only its hash is stored. Rotate it to get a new one.',
  ],
  application_not_found: [404, 'There is no such application. Check its id.'],
  grant_not_found: [404, 'There is no such grant. It may have ended already.'],
  authorization_expired: [
    400,
    'This authorization request has expired or was already answered. Go back to the application and start again.',
  ],
  owner_changed: [400, 'Someone else has signed in since you opened this page. Reload it.'],

  // limits and temporary problems
  idempotency_key_in_use: [409, 'Another request with this Idempotency-Key is still running. Try again shortly.'],
  idempotency_key_reused: [422, 'This Idempotency-Key was used for a different request. Use a new key.'],
  rate_limited: [429, 'Too many requests. Slow down.'],
  internal_error: [500, 'Something went wrong on our side. Try again later.'],
  export_running: [429, 'Your previous export is still running. Wait until it has ended, or cancel it.'],
  overloaded: [503, 'The service is overloaded. Try again shortly.'],
  too_many_streams: [503, 'Too many dashboard pages are open at once. Reload this page to see changes.'],
  database_unavailable: [503, 'The database is unavailable. Try again shortly.'],
  outcome_unknown: [
    503,
    'The connection to the database was lost while your request was being saved. Check whether it took effect, or repeat it with the same Idempotency-Key.',
  ],
} as const satisfies Record<string, readonly [status: number, message: string]>

export type ErrorCode = keyof typeof apiErrors

/** Problems by field path: `{"recipient.account": ["is required"]}`. */
export type FieldErrors = Record<string, string[]>

/** An error that is returned to the caller. */
export class ApiError extends Error {
  readonly code: ErrorCode
  readonly status: number
  readonly fields: FieldErrors | undefined
  /** The seconds for the `Retry-After` header. */
  readonly retryAfterSeconds: number | undefined

  /** `status` replaces the usual status of the code. Some codes have status 401 when they refuse a sign-in. */
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

/** Runs an action and attributes its errors to `field`. The action itself does not know the fields of the request. */
export async function attributeErrorsTo<T>(field: string, action: Promise<T>): Promise<T> {
  try {
    return await action
  } catch (error) {
    if (!(error instanceof ApiError) || error.fields || error.status >= 500) throw error
    throw new ApiError(error.code, { message: error.message, fields: { [field]: [error.message] } })
  }
}

/** Creates an error about one field. `problem` continues a sentence that begins with the field's name: `must be a date`. */
export const fieldError = (code: ErrorCode, field: string, problem: string): ApiError =>
  new ApiError(code, { message: endSentence(`${field} ${problem}`), fields: { [field]: [problem] } })

/** Adds a period to a text that has none. Field problems have no period, because forms and clients may continue the sentence. */
export const endSentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`)
