// Decides which values of a body the request log keeps. A field that is not listed here is masked, so a new field is masked until it is decided.

export const MASK = '****'

/** The maximum size of a body that is kept. Bodies wait in memory until they are written. */
export const MAX_BODY_BYTES = 16 * 1024

/** The fields whose values are kept, by the kind of their value. */
export const KEPT_FIELDS = {
  /** Kept only if the value is an id of 32 hex digits. `account` can also be an account number. */
  id: ['account', 'batch', 'billing', 'default', 'endpoint', 'event', 'id', 'recipient'],
  /** A value of an enumeration. */
  word: [
    'account_type',
    'body_format',
    'deposit_options',
    'event_types',
    'industry',
    'interval',
    'mail_type',
    'outcome',
    'principal_citizenship_status',
    'rail',
    'return_code',
    'source',
    'state',
    'status',
    'tags',
    'type',
  ],
  date: ['date', 'due_date', 'end_date', 'expiration_date', 'incorporation_date', 'since', 'start_date'],
  /** Free text. Long numbers in it are masked, because people write account numbers into it. */
  text: [
    'business_name',
    'city',
    'comment',
    'country',
    'holder_country',
    'description',
    'email',
    'filename',
    'first_name',
    'last_name',
    'legal_firstname',
    'legal_lastname',
    'line_1',
    'line_2',
    'name',
    'number',
    'reason',
    'recipient',
    'sender',
    'terms',
    'user_id',
  ],
  zip: ['zip'],
  /** An amount, a count or a percentage. */
  number: [
    'amount',
    'approvals',
    'check_number',
    'day',
    'duration',
    'expiration',
    'industry',
    'invoice_number',
    'min_amount',
    'month',
    'number',
    'payment',
    'quantity',
    'tax_rate',
    'unit_price',
  ],
} as const satisfies Record<string, readonly string[]>

type Kind = keyof typeof KEPT_FIELDS

/** Whether a text of each kind is kept unchanged. */
const isKept: Record<Kind, (text: string) => boolean> = {
  id: (text) => /^[0-9a-f]{32}$/.test(text),
  word: (text) => /^[A-Za-z_]{1,40}$|^[A-Z]?\d{1,3}$/.test(text),
  date: (text) => /^\d{4}-\d\d(-\d\d)?([ T]\d\d:\d\d(:\d\d(\.\d{1,6})?)?Z?)?$/.test(text),
  text: () => false,
  zip: (text) => /^\d{5}(-\d{4})?$/.test(text),
  number: (text) => /^\d{1,9}(\.\d{1,6})?$/.test(text),
}

/** Matches seven or more digits, also in groups. Telephone numbers are masked as well. */
const LONG_NUMBER = /\d(?:[ .\u00a0\u202f-]?\d){6,}/g

/** The maximum nesting of a body. No request of the API is nested deeper. Deeper values are masked as a whole. */
const MAX_LEVELS = 32

/**
 * Returns a body without secrets and account numbers: values of fields that are not listed, long numbers in text, and values below 32 levels
 * become `****`.
 *
 * @param body a parsed JSON body
 */
export const maskBody = (body: unknown): unknown => maskValue(body, '', 0)

function maskValue(value: unknown, name: string, level: number): unknown {
  if (value === null || typeof value === 'boolean') return value
  if (typeof value === 'string') return maskText(value, name)
  if (typeof value === 'number') return has('number', name) && isKept.number(String(value)) ? value : MASK
  if (level >= MAX_LEVELS) return MASK
  if (Array.isArray(value)) return value.map((item) => maskValue(item, name, level + 1))
  return Object.fromEntries(
    Object.entries(value as object).map(([key, member]) => [
      FIELD_NAME.test(key) ? key : MASK,
      maskValue(member, key, level + 1),
    ]),
  )
}

/** Matches the names of API fields. Other names may be values that a client put into the wrong place. */
const FIELD_NAME = /^[a-z]+(_[a-z]+)*(_[1-9])?$/

function maskText(text: string, name: string): string {
  const kinds = (Object.keys(KEPT_FIELDS) as Kind[]).filter((kind) => has(kind, name))
  if (kinds.some((kind) => isKept[kind](text))) return text
  return kinds.includes('text') ? text.replaceAll(LONG_NUMBER, MASK) : MASK
}

const has = (kind: Kind, name: string): boolean => (KEPT_FIELDS[kind] as readonly string[]).includes(name)
