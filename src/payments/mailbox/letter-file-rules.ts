import { decodeInbound } from '../../connections/exchange/inbound-text-rules.ts'
import { withoutZeros } from '../../foundation/core/account-number.ts'
import { dollarsToCents } from '../../foundation/core/money.ts'
import { isAbaRoutingNumber } from '../../foundation/core/routing-number.ts'
import { MAX_PARTY_LENGTH, MAX_TAG_LENGTH, MAX_TAGS } from './mailbox-rules.ts'
import { CHECK_NUMBER, MAX_SCANNED_CHECKS, type ScannedCheck } from './scanned-check-rules.ts'

/** A piece of mail as the provider describes it, in a JSON file that accompanies the scan. */
export type LetterFile = {
  id: string
  mailbox: string
  sender: string
  recipient: string | null
  tags: string[]
  checks: ScannedCheck[]
}

/** A check in the mail that cannot be read. `position` is its place in the list, counted from 1. */
export type UnreadCheck = { position: number; problem: string; text: string }

/** The result of reading a description. `remarks` are about fields that Remit does not need. Remarks and problems quote no content. */
export type LetterFileReading = { remarks: string[] } & (
  | { letter: LetterFile; unreadChecks: UnreadCheck[] }
  | { letter: null; problems: string[]; text: string }
)

/**
 * Reads the description of a piece of mail in three steps: decodes it, reads its fields, and reads each check. Never throws. A problem in
 * an optional field is a remark.
 */
export function readLetterFile(bytes: Buffer): LetterFileReading {
  const { text, remarks } = decodeInbound(bytes)
  const value = jsonOf(text)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return unreadLetter(['it is not a JSON object'], { text, remarks })
  }
  const given = value as Record<string, unknown>
  const isUsable = (name: FieldName) => fields[name].isValid(given[name])
  const problems = NEEDED.filter((name) => !isUsable(name)).map((name) => `${name} must be ${fields[name].rule}`)
  if (problems.length > 0) return unreadLetter(problems, { text, remarks })
  const unknown = Object.keys(given).filter((name) => !Object.hasOwn(fields, name))
  const unusable = OPTIONAL.filter((name) => !isUsable(name))
  const { id, mailbox, sender, checks } = given as FileFields
  const judged = (checks ?? []).map(judgeCheck)
  return {
    letter: {
      id,
      mailbox,
      sender,
      recipient: isUsable('recipient') ? ((given.recipient as string | undefined) ?? null) : null,
      tags: isUsable('tags') ? ((given.tags as string[] | undefined) ?? []) : [],
      checks: judged.flatMap((one) => ('check' in one ? one.check : [])),
    },
    unreadChecks: judged.flatMap((one) => ('problem' in one ? one : [])),
    remarks: [
      ...remarks,
      ...(unknown.length > 0 ? [`it has ${unknown.length} unknown fields`] : []),
      ...unusable.map((name) => `${name} is not used: it must be ${fields[name].rule}`),
    ],
  }
}

/** Returns the result for a description that cannot be used at all. */
export const unreadLetter = (
  problems: string[],
  { text, remarks }: { text: string; remarks: string[] },
): LetterFileReading => ({ letter: null, problems, text, remarks })

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** A check as the provider describes it. The amount is in dollars. */
type FileCheck = { routing: string; account: string; number: string; amount: number; name?: string }

type FileFields = Omit<LetterFile, 'checks'> & { checks?: unknown[] | null }

/** The required fields of a check. Unknown fields and an unusable name do not refuse the check. */
const checkFields: Record<Exclude<keyof FileCheck, 'name'>, Field> = {
  routing: { isValid: (value) => typeof value === 'string' && isAbaRoutingNumber(value), rule: 'a routing number' },
  account: { isValid: (value) => typeof value === 'string' && /^\d{4,17}$/.test(value), rule: '4 to 17 digits' },
  number: {
    isValid: (value) => typeof value === 'string' && new RegExp(CHECK_NUMBER).test(value),
    rule: 'a text with the digits of the check number',
  },
  amount: {
    isValid: (value) => typeof value === 'number' && dollarsToCents(value) !== null,
    rule: 'an amount in dollars, such as 75.25',
  },
}

function judgeCheck(value: unknown, index: number): { check: ScannedCheck } | UnreadCheck {
  const given = (typeof value === 'object' && value !== null ? value : {}) as FileCheck
  const problems = Object.entries(checkFields).flatMap(([name, { isValid, rule }]) =>
    isValid(given[name as keyof FileCheck]) ? [] : [`${name} must be ${rule}`],
  )
  if (problems.length > 0) {
    return { position: index + 1, problem: problems.join(', '), text: JSON.stringify(value).slice(0, 500) }
  }
  const { routing, account, number, amount, name } = given
  const amountCents = dollarsToCents(amount) as number
  const drawer = isText(name, MAX_PARTY_LENGTH) ? name : null
  return { check: { routing, account, number: withoutZeros(number), amountCents, drawer } }
}

type Field = { isValid(value: unknown): boolean; rule: string }

/** Returns whether a value is a text that PostgreSQL can store, which excludes NUL and lone surrogates. */
const isText = (value: unknown, maxLength: number): value is string =>
  typeof value === 'string' &&
  value.trim() !== '' &&
  value.length <= maxLength &&
  value.isWellFormed() &&
  !value.includes('\0')

const isAbsent = (value: unknown) => value === undefined || value === null

type FieldName = keyof LetterFile

const NEEDED: readonly FieldName[] = ['id', 'mailbox', 'sender', 'checks']
const OPTIONAL: readonly FieldName[] = ['recipient', 'tags']

const fields: Record<FieldName, Field> = {
  checks: {
    isValid: (value) => isAbsent(value) || (Array.isArray(value) && value.length <= MAX_SCANNED_CHECKS),
    rule: `a list of at most ${MAX_SCANNED_CHECKS} checks {routing, account, number, amount, name}`,
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
