import { isCalendarDate } from '../../foundation/lib/clock.ts'
import { decimalsOf, readDecimal } from './amount-text-rules.ts'
import { kindOfBankCode } from './camt-code-rules.ts'
import type { LineCharge, LineDetail, ReferenceKind, References, StatementLine } from './statement-types.ts'
import { nodeAt, nodesOf, placeOf, textAt, type XmlNode } from './xml-stream-rules.ts'

/** Reports a problem of an entry. The first problem without its own place concerns the entry. */
export type Tell = (node: XmlNode, message: string) => void

/** An element that cannot be read, with the reason. */
export class UnreadElement extends Error {
  readonly place: string
  constructor(node: XmlNode, message: string) {
    super(message)
    this.place = placeOf(node)
  }
}

/** Reads `Amt` with its currency. @throws UnreadElement */
export function readAmount(parent: XmlNode): { cents: number; currency: string } {
  const node = nodeAt(parent, 'Amt')
  if (!node) throw new UnreadElement(parent, 'the amount (Amt) is missing')
  const currency = node.attributes.Ccy ?? ''
  const digits = decimalsOf(currency)
  if (digits === null) throw new UnreadElement(node, 'the currency (Ccy) is missing or no code of three letters')
  const { cents, problem } = readDecimal(node.text.trim(), digits)
  if (cents === null) throw new UnreadElement(node, problem)
  if (node.text.includes('-'))
    throw new UnreadElement(node, 'the amount has a sign, but CdtDbtInd says credit or debit')
  return { cents, currency }
}

/** 1: credit, -1: debit. Null: the entry gives neither. */
function signAt(parent: XmlNode | null): 1 | -1 | null {
  const text = textAt(parent, 'CdtDbtInd')
  return text === 'CRDT' ? 1 : text === 'DBIT' ? -1 : null
}

/** Returns 1 for a credit and -1 for a debit. @throws UnreadElement */
export function readSign(parent: XmlNode): 1 | -1 {
  const sign = signAt(parent)
  if (sign !== null) return sign
  throw new UnreadElement(nodeAt(parent, 'CdtDbtInd') ?? parent, 'credit or debit (CdtDbtInd) is neither CRDT nor DBIT')
}

export const withSign = (sign: 1 | -1, cents: number): number => (cents === 0 ? 0 : sign * cents)

/** Reads `Dt` or `DtTm` of an element as YYYY-MM-DD. Returns null if it is absent. @throws UnreadElement */
export function readDate(node: XmlNode | null): string | null {
  if (!node) return null
  const text = (textAt(node, 'Dt') || textAt(node, 'DtTm') || node.text.trim()).slice(0, 10)
  if (!isCalendarDate(text)) throw new UnreadElement(node, 'the date cannot be read: it should be YYYY-MM-DD')
  return text
}

/** Reads one entry. @throws UnreadElement if it cannot become a line */
export function readEntry(
  entry: XmlNode,
  details: LineDetail[],
  { day, today }: { day: string | null; today: string },
  tell: Tell,
): StatementLine {
  const { cents, currency } = readAmount(entry)
  const sign = readSign(entry)
  const bookedOn = readDate(nodeAt(entry, 'BookgDt')) ?? day
  const status = statusOf(entry)
  if (bookedOn !== null && bookedOn > today && status === 'booked') {
    throw new UnreadElement(nodeAt(entry, 'BookgDt') ?? entry, `the booking date, ${bookedOn}, is in the future`)
  }
  const code = bankCodeOf(nodeAt(entry, 'BkTxCd'))
  const [only] = details.length === 1 ? details : []
  const batch = nodeAt(entry, 'NtryDtls/Btch')
  return {
    place: placeOf(entry),
    status,
    bookedOn,
    valueOn: optional(entry, tell, () => readDate(nodeAt(entry, 'ValDt'))),
    cents: withSign(sign, cents),
    currency,
    code,
    kind: kindOfBankCode(code),
    references: {
      ...only?.references,
      ...referencesOf(batch, BATCH_REFERENCES),
      ...referencesOf(entry, ENTRY_REFERENCES),
    },
    name: only?.name ?? null,
    text: textAt(entry, 'AddtlNtryInf') || only?.text || '',
    isReversal: isTrue(textAt(entry, 'RvslInd')),
    batch: batch && {
      count: /^\d{1,15}$/.test(textAt(batch, 'NbOfTxs')) ? Number(textAt(batch, 'NbOfTxs')) : null,
      cents: optional(entry, tell, () => batchCents(batch, sign, currency)),
    },
    details,
    charges: optional(entry, tell, () => readCharges(entry)) ?? [],
    returnReason: only?.returnReason ?? null,
  }
}

/** Reads an optional field. If it has a problem, the problem is reported, and the line is still used. */
function optional<Value>(entry: XmlNode, tell: Tell, read: () => Value): Value | null {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof UnreadElement)) throw error
    tell(entry, error.message)
    return null
  }
}

/**
 * Returns the status of an entry. Older versions have the code directly in `Sts`, newer ones in `Sts/Cd`. An entry without a status is
 * booked.
 */
function statusOf(entry: XmlNode): StatementLine['status'] {
  const code = textAt(entry, 'Sts/Cd') || textAt(entry, 'Sts')
  if (code === 'BOOK' || code === '') return 'booked'
  if (code === 'PDNG' || code === 'FUTR') return 'pending'
  if (code === 'INFO') return 'information'
  throw new UnreadElement(nodeAt(entry, 'Sts') ?? entry, 'the status (Sts) is none of BOOK, PDNG, INFO and FUTR')
}

function bankCodeOf(node: XmlNode | null): string {
  const parts = ['Domn/Cd', 'Domn/Fmly/Cd', 'Domn/Fmly/SubFmlyCd'].map((path) => textAt(node, path))
  return parts[0] === '' ? textAt(node, 'Prtry/Cd') : parts.join('/')
}

const isTrue = (text: string): boolean => text === 'true' || text === '1'

/** The path of each kind of reference. */
type Places = readonly (readonly [ReferenceKind, string])[]

const BATCH_REFERENCES: Places = [
  ['file', 'MsgId'],
  ['batch', 'PmtInfId'],
]

const ENTRY_REFERENCES: Places = [['bank', 'AcctSvcrRef']]

const DETAIL_REFERENCES: Places = [
  ['file', 'Refs/MsgId'],
  ['batch', 'Refs/PmtInfId'],
  ['instruction', 'Refs/InstrId'],
  ['end_to_end', 'Refs/EndToEndId'],
  ['transaction', 'Refs/TxId'],
  ['uetr', 'Refs/UETR'],
  ['check', 'Refs/ChqNb'],
  ['trace', 'Refs/ClrSysRef'],
  ['bank', 'Refs/AcctSvcrRef'],
  ['customer', 'Refs/AcctOwnrTxId'],
]

function referencesOf(node: XmlNode | null, places: Places): References {
  const found = places.map(([kind, path]) => [kind, textAt(node, path)] as const)
  return Object.fromEntries(found.filter(([, text]) => text !== '' && text !== 'NOTPROVIDED'))
}

function batchCents(batch: XmlNode, sign: 1 | -1, currency: string): number | null {
  const total = nodeAt(batch, 'TtlAmt')
  if (!total) return null
  const own = { ...batch, children: [{ ...total, name: 'Amt' }] }
  const { cents, currency: other } = readAmount(own)
  const indicated = nodeAt(batch, 'CdtDbtInd') ? readSign(batch) : sign
  return other === currency ? withSign(indicated, cents) : null
}

/**
 * Reads the charges of an entry. In version 2, they are directly in `Chrgs`, which can be repeated, and in later versions in `Chrgs/Rcrd`.
 */
function readCharges(entry: XmlNode): LineCharge[] {
  const records = nodesOf(entry, 'Chrgs').flatMap((one) => (nodeAt(one, 'Amt') ? [one] : nodesOf(one, 'Rcrd')))
  return records.map((record) => ({
    cents: withSign(nodeAt(record, 'CdtDbtInd') ? readSign(record) : -1, readAmount(record).cents),
    isIncluded: isTrue(textAt(record, 'ChrgInclInd')),
    type: textAt(record, 'Tp/Cd') || textAt(record, 'Tp/Prtry/Id') || textAt(record, 'Tp/Prtry') || null,
  }))
}

/** Reads one transaction (`TxDtls`) of an entry whose beginning was read. Its amount can be left out. @throws UnreadElement */
export function readDetail(node: XmlNode, entry: XmlNode | null): LineDetail {
  const parent = nodeAt(node, 'Amt') ? node : (nodeAt(node, 'AmtDtls/TxAmt') ?? null)
  const amount = parent && nodeAt(parent, 'Amt') ? readAmount(parent) : null
  const sign = nodeAt(node, 'CdtDbtInd') ? readSign(node) : signAt(entry)
  const isReturn = nodeAt(node, 'RtrInf') !== null || isTrue(textAt(entry, 'RvslInd'))
  return {
    cents: amount && sign ? withSign(sign, amount.cents) : null,
    references: referencesOf(node, DETAIL_REFERENCES),
    name: nameOf(node, sign),
    accounts: ownAccountsOf(node, { sign, isReturn }),
    text: remittanceOf(node),
    returnReason: textAt(node, 'RtrInf/Rsn/Cd') || textAt(node, 'RtrInf/Rsn/Prtry') || null,
  }
}

/** Returns the name of the other side: the debtor of a credit, or the creditor of a debit. From version 08 on, the name is in `Pty`. */
function nameOf(node: XmlNode, sign: 1 | -1 | null): string | null {
  const sides = sign === -1 ? ['Cdtr', 'UltmtCdtr'] : ['Dbtr', 'UltmtDbtr']
  const names = sides.flatMap((side) => [
    textAt(node, `RltdPties/${side}/Pty/Nm`),
    textAt(node, `RltdPties/${side}/Nm`),
  ])
  return names.find((name) => name !== '') ?? null
}

/**
 * Our side of a transaction: the creditor of a credit, the debtor of a debit. A returned transaction can have the parties of the original
 * one, so either can be ours.
 */
function ownAccountsOf(node: XmlNode, { sign, isReturn }: { sign: 1 | -1 | null; isReturn: boolean }): string[] {
  const sides = [...(sign === 1 || isReturn ? ['CdtrAcct'] : []), ...(sign === -1 || isReturn ? ['DbtrAcct'] : [])]
  const texts = sides.flatMap((side) => ['IBAN', 'Othr/Id'].map((path) => textAt(node, `RltdPties/${side}/Id/${path}`)))
  return texts.filter((one) => one !== '')
}

function remittanceOf(node: XmlNode): string {
  const unstructured = nodesOf(nodeAt(node, 'RmtInf'), 'Ustrd').map(({ text }) => text.trim())
  const structured = nodesOf(nodeAt(node, 'RmtInf'), 'Strd').map((one) => textAt(one, 'CdtrRefInf/Ref'))
  const words = [...unstructured, ...structured, textAt(node, 'AddtlTxInf')]
  return words.filter((one) => one !== '').join(' ')
}
