import { isAbaRoutingNumber } from '../bank/bank-status.ts'
import { centsOfDollars } from '../core/money.ts'
import { MAX_PARTY_LENGTH, MAX_TAG_LENGTH, MAX_TAGS } from './mailbox-rules.ts'
import { CHECK_NUMBER, MAX_SCANNED_CHECKS, type ScannedCheck, withoutZeros } from './scanned-check-rules.ts'

/** A piece of mail as the provider describes it, in a JSON file beside its scan. */
export type LetterFile = {
  id: string
  mailbox: string
  sender: string
  recipient: string | null
  tags: string[]
  checks: ScannedCheck[]
}

export type LetterFileReading = { letter: LetterFile } | { letter: null; problems: string[] }

/** Reads the description of a piece of mail. Never throws. The problems quote no content. */
export function readLetterFile(bytes: Buffer): LetterFileReading {
  const value = jsonOf(bytes)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { letter: null, problems: ['it is not a JSON object in UTF-8'] }
  }
  const given = value as Record<string, unknown>
  const unknown = Object.keys(given).filter((name) => !Object.hasOwn(fields, name))
  const problems = [
    ...(unknown.length > 0 ? [`it has ${unknown.length} unknown fields`] : []),
    ...Object.entries(fields).flatMap(([name, { isValid, rule }]) =>
      isValid(given[name]) ? [] : [`${name} must be ${rule}`],
    ),
  ]
  if (problems.length > 0) return { letter: null, problems }
  const { id, mailbox, sender, recipient = null, tags = [], checks } = given as FileFields
  return { letter: { id, mailbox, sender, recipient, tags: tags ?? [], checks: (checks ?? []).map(checkOf) } }
}

function jsonOf(bytes: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    return null
  }
}

/** A check as the provider describes it. The amount is in dollars. */
type FileCheck = { routing: string; account: string; number: string; amount: number; name?: string }

type FileFields = Omit<LetterFile, 'checks'> & { checks?: FileCheck[] | null }

const checkOf = ({ routing, account, number, amount, name }: FileCheck): ScannedCheck => ({
  routing,
  account,
  number: withoutZeros(number),
  amountCents: centsOfDollars(amount) as number,
  drawer: name ?? null,
})

function isCheck(value: unknown): value is FileCheck {
  if (typeof value !== 'object' || value === null) return false
  const { routing, account, number, amount, name, ...others } = value as Record<string, unknown>
  return (
    Object.keys(others).length === 0 &&
    typeof routing === 'string' &&
    isAbaRoutingNumber(routing) &&
    typeof account === 'string' &&
    /^\d{4,17}$/.test(account) &&
    typeof number === 'string' &&
    new RegExp(CHECK_NUMBER).test(number) &&
    typeof amount === 'number' &&
    centsOfDollars(amount) !== null &&
    (name === undefined || isText(name, MAX_PARTY_LENGTH))
  )
}

type Field = { isValid(value: unknown): boolean; rule: string }

/** PostgreSQL can store neither NUL nor a lone surrogate. */
const isText = (value: unknown, maxLength: number): value is string =>
  typeof value === 'string' &&
  value.trim() !== '' &&
  value.length <= maxLength &&
  value.isWellFormed() &&
  !value.includes('\0')

const isAbsent = (value: unknown) => value === undefined || value === null

const fields: Record<keyof LetterFile, Field> = {
  checks: {
    isValid: (value) =>
      isAbsent(value) || (Array.isArray(value) && value.length <= MAX_SCANNED_CHECKS && value.every(isCheck)),
    rule: `at most ${MAX_SCANNED_CHECKS} checks {routing, account, number, amount, name}`,
  },
  id: {
    isValid: (value) => isText(value, 64),
    rule: 'a text of at most 64 characters, different for each piece of mail',
  },
  mailbox: {
    isValid: (value) => typeof value === 'string' && /^\d{8}$/.test(value),
    rule: 'the eight digits of the mailbox',
  },
  sender: {
    isValid: (value) => isText(value, MAX_PARTY_LENGTH),
    rule: `a text of at most ${MAX_PARTY_LENGTH} characters`,
  },
  recipient: {
    isValid: (value) => isAbsent(value) || isText(value, MAX_PARTY_LENGTH),
    rule: `a text of at most ${MAX_PARTY_LENGTH} characters, or missing`,
  },
  tags: {
    isValid: (value) =>
      isAbsent(value) ||
      (Array.isArray(value) && value.length <= MAX_TAGS && value.every((tag) => isText(tag, MAX_TAG_LENGTH))),
    rule: `at most ${MAX_TAGS} texts of at most ${MAX_TAG_LENGTH} characters`,
  },
}
