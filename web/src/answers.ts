import type { AuditActor } from '../../src/audit/audit-rules.ts'

/** What the service answers, field by field. Dates are `YYYY-MM-DD HH:MM:SS` in UTC. */

export type Environment = 'sandbox' | 'demo' | 'production'

export type Owner = { id: string; email: string; name: string }

export type ServiceContext = {
  environment: Environment
  version: string
  environments: { name: Environment; url: string }[]
  fixed_code: string | null
  shows_mail: boolean
  owner: (Owner & { has_two_factor: boolean; has_old_codes: boolean }) | null
}

export type Verification = { verification: string }

export type Mail = { id: string; to: string; subject: string; text: string; date: string }

export type Scope = 'check' | 'single-use'

export type ConsentDetails = {
  application: { name: string; site: string }
  scope: Scope
  redirect_uri: string
  owner: Owner | null
}

export type Redirection = { redirect_to: string }

export type Session = {
  id: string
  is_this: boolean
  date: string
  last_seen: string
  address: string | null
  user_agent: string | null
}

export type Grant = {
  id: string
  application: { name: string; site: string }
  scope: Scope
  date: string
  last_used: string | null
}

export type ApiKey = {
  id: string
  name: string | null
  expiration_date: string | null
  date: string
  last_used: string | null
}

export type NewApiKey = {
  id: string
  secret: string
  name: string | null
  expiration_date: string | null
  webhook_key: string
}

export type Developer = {
  webhook_url: string | null
  signing_key: string
  source_addresses: string[]
  allows_local_webhooks: boolean
}

export type WebhookTest = {
  outcome: 'acknowledged' | 'rejected' | 'timed_out' | 'unreachable'
  http_status: number | null
  duration_ms: number
  error: string | null
  body: string
}

/** What an endpoint can ask for. Events of payments and invoices are those of their status. */
export type EventType = 'CHECK' | 'INVOICE' | 'BANK' | 'USER' | 'PREFUND_ACCOUNT'

export type Endpoint = {
  id: string
  url: string
  name: string | null
  event_types: EventType[]
  status: 'ENABLED' | 'DISABLED'
  disabled_reason: 'OWNER' | 'GONE' | 'FAILING' | null
  disabled_date: string | null
  failing_since: string | null
  date: string
}

/** How many of the events since `missed_since` failed, in the answer that enabled it. */
export type ChangedEndpoint = Endpoint & { missed: number; missed_since: string | null }

export type Outcome = 'acknowledged' | 'rejected' | 'timed_out' | 'unreachable'

/** `status` is that of HTTP, `body` what was sent, `response_body` the first KiB of the answer. */
export type EndpointTest = {
  outcome: Outcome
  status: number | null
  duration_ms: number
  error: string | null
  body: string
  response_body: string | null
}

export type DeliveryStatus = 'PENDING' | 'DELIVERED' | 'FAILED'

/** One event on its way to one endpoint. `subject` is the id of the payment, bank, user or wallet that it tells of. */
export type Delivery = {
  event: string
  endpoint: string
  url: string
  type: EventType
  subject: string
  /** Of a payment of this platform: the status that the event tells, dollars, the payee. */
  payment: { status: string; amount: number; name: string } | null
  status: DeliveryStatus
  attempts: number
  next_attempt: string | null
  date: string
}

export type Attempt = {
  number: number
  date: string
  duration_ms: number
  outcome: Outcome
  status: number | null
  error: string | null
  request_headers: Record<string, string> | null
  response_body: string | null
}

export type DeliveryDetails = Omit<Delivery, 'attempts'> & { attempts: Attempt[] }

export type WebhookEvent = { id: string; type: EventType; subject: string; body: string; date: string }

export type RotatedWebhookKey = { webhook_key: string; previous_key_expires: string }

export type Application = {
  id: string
  name: string
  site: string
  redirect_uris: string[]
  webhook_url: string | null
  requires_pkce: boolean
  rotates_refresh_tokens: boolean
  date: string
  previous_secret_expires: string | null
  is_secret_kept: boolean
}

export type NewApplication = Application & { secret: string }

export type RotatedSecret = { secret: string; previous_secret_expires: string }

export type Address = Record<'line_1' | 'line_2' | 'city' | 'state' | 'zip' | 'country', string | null>

export type Profile = {
  user: {
    first_name: string | null
    last_name: string | null
    business_name: string | null
    phone: string | null
    dob: string | null
    status: string
  }
  merchant: { address: Address }
}

export type AuditEntry = {
  id: string
  date: string
  action: string
  actor: AuditActor
  actor_id: string | null
  subject: string | null
  address: string | null
  user_agent: string | null
}

export type TwoFactorStart = { secret: string; uri: string }

export type RecoveryCodes = { recovery_codes: string[] }

export type DepositOption = 'BANK' | 'CARD' | 'PAYPAL' | 'VENMO' | 'INTERAC' | 'WIRE' | 'PRINT' | 'MAIL'

/** A payment as somebody without an account sees it. Amounts in dollars, days as `YYYY-MM-DD`. */
export type LinkedPayment = {
  sender: string
  logo: string | null
  number: string
  date: string
  deposited: string | null
  changed: string
  destination: string | null
  /** A row for each line: id, date, amount, description. */
  remittance_advice: string[][]
  name: string
  amount: number
  description: string | null
  comment: string | null
  status: 'UNPAID' | 'IN_PROCESS' | 'PAID' | 'FAILED' | 'PRINTED' | 'VOID' | 'EXPIRED' | 'MAILED' | 'REFUNDED'
  rail: string | null
  expires: string
  expected: string | null
  pin: { description: string | null } | null
  options: DepositOption[]
}
