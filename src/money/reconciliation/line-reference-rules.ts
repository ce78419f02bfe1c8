import type { References, StatementLine } from '../statement/statement-types.ts'

/** A reference of ours in a statement line. Exactly one of the last three properties is set. `cents`: with the sign of the line. */
export type OwnReference = { cents: number; legId: string | null; trace: string | null; serial: number | null }

/** A reference that may be the UETR of one of our orders, in lower case. It may also belong to another customer of the bank. */
export type UetrReference = { cents: number; uetr: string }

/** Our references in a line. `detailCount`: the number of payments in the line, which is 1 if the line has no details. */
export type OwnNames = {
  fileName: string | null
  references: OwnReference[]
  uetrs: UetrReference[]
  detailCount: number
}

const LEG_ID = /(?<![0-9a-f])([0-9a-f]{8}-?[0-9a-f]{4}-?7[0-9a-f]{3}-?[0-9a-f]{4}-?[0-9a-f]{12})(?![0-9a-f])/i
const UETR = /(?<![0-9a-f])[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}(?![0-9a-f])/i
const TRACE = /(?<!\d)\d{15}(?!\d)/g
const FILE_NAME = /(?<![0-9A-Z])20\d{6}-[A-Z0-9](?![0-9A-Z])/i
const SERIAL = /^0*([1-9]\d{0,9})$/

/** The fields into which banks may write our references. */
const FIELDS = [
  'end_to_end',
  'instruction',
  'trace',
  'transaction',
  'uetr',
  'batch',
  'file',
  'customer',
  'bank',
] as const

/** Finds our references in a line. `odfi`: the routing number at the start of our trace numbers, or null. */
export function ownNamesOf(line: StatementLine, { odfi }: { odfi: string | null }): OwnNames {
  const { cents, references, text, details } = line
  const [only] = details
  const parts =
    details.length > 1
      ? details.map((one) => ({ cents: one.cents, references: one.references, text: one.text }))
      : [{ cents, references: { ...only?.references, ...references }, text: `${text} ${only?.text ?? ''}` }]
  const own = parts.map((part) => referenceOf(part, odfi))
  const texts = [...textsOf(references), text, ...details.flatMap((one) => textsOf(one.references)).slice(0, 10)]
  const [fileName = null] = texts.flatMap((one) => FILE_NAME.exec(one)?.[0].toUpperCase() ?? [])
  const uetrs = parts.flatMap((part, index) => (own[index] === null ? (uetrOf(part) ?? []) : []))
  return { fileName, references: own.filter((one) => one !== null), uetrs, detailCount: parts.length }
}

type Part = { cents: number | null; references: References; text: string }

function referenceOf({ cents, references, text }: Part, odfi: string | null): OwnReference | null {
  if (cents === null || cents === 0) return null
  const none = { cents, legId: null, trace: null, serial: null }
  const texts = [...textsOf(references), text]
  const [legId] = texts.flatMap((one) => LEG_ID.exec(one)?.[1] ?? [])
  if (legId) return { ...none, legId: legId.replaceAll('-', '').toLowerCase() }
  const [trace] = texts.flatMap((one) => one.match(TRACE) ?? []).filter((one) => isOurs(one, odfi))
  if (trace) return { ...none, trace }
  const serial = SERIAL.exec(references.check?.trim() ?? '')?.[1]
  return serial ? { ...none, serial: Number(serial) } : null
}

function uetrOf({ cents, references, text }: Part): UetrReference | null {
  if (cents === null || cents === 0) return null
  const [uetr] = [...textsOf(references), text].flatMap((one) => UETR.exec(one)?.[0].toLowerCase() ?? [])
  return uetr === undefined ? null : { cents, uetr }
}

/** Returns whether a payment of a line may name one of our legs, by its id or its UETR. */
export function mayNameLeg({ references, text }: Pick<Part, 'references' | 'text'>): boolean {
  return [...textsOf(references), text].some((one) => LEG_ID.test(one) || UETR.test(one))
}

const isOurs = (trace: string, odfi: string | null) => odfi !== null && trace.startsWith(odfi.slice(0, 8))

const textsOf = (references: References): string[] => FIELDS.flatMap((field) => references[field] ?? [])
