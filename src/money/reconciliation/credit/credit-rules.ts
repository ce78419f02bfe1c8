import type { LineDetail, ReferenceKind, References } from '../../statement/statement-types.ts'
import type { NamedWallet } from '../../wallet/wallet-number-actions.ts'
import { possibleNumbersIn } from '../../wallet/wallet-number-rules.ts'

/** The sealed content of a line: all its data that has no column. */
export type LineContent = {
  name: string | null
  text: string
  references: References
  details: readonly LineDetail[]
  isReversal: boolean
  returnReason: string | null
}

/**
 * A line that may add money to a wallet, or take a credit back. `day`: the day on which the bank booked it (YYYY-MM-DD). `detailCount`: the
 * number of payments in the line.
 */
export type CreditLine = {
  id: string
  day: string
  place: string
  cents: number
  kind: string
  detailCount: number
  content: LineContent
}

/** One payment of a line. `cents` is null if the bank gives no amount for it. */
export type LinePayment = { cents: number | null; texts: string[] }

/** Returns the payments of a line with the texts that can name a wallet. */
export function paymentsOf({ cents, content }: CreditLine): LinePayment[] {
  const { name, text, references, details } = content
  const own = [name ?? '', text, ...Object.values(references)]
  if (details.length <= 1) return [{ cents, texts: [...own, ...details.flatMap(textsOf)] }]
  return details.map((one) => ({ cents: one.cents, texts: textsOf(one) }))
}

const textsOf = ({ name, text, references, accounts }: LineDetail): string[] => [
  ...[name ?? '', text, ...Object.values(references)],
  ...accounts,
]

/** Returns whether a payment of a line may name the number of a wallet. */
export const mayNameWallet = (detail: LineDetail): boolean => possibleNumbersIn(textsOf(detail)).length > 0

export type WalletPart = NamedWallet & { cents: number }

/** The decision about a credit: it is added to the wallets that it names, or to none. `reason` is null if it names none. */
export type CreditVerdict = { parts: WalletPart[] } | { reason: string | null }

/** The maximum number of payments of one line that fund wallets in one transaction. */
export const MAX_PAYMENTS = 5_000

/** Decides about a credit. @param named the wallets that each payment of the line names */
export function creditVerdict(
  line: CreditLine,
  payments: readonly LinePayment[],
  named: readonly (readonly NamedWallet[])[],
): CreditVerdict {
  if (named.every((wallets) => wallets.length === 0)) return { reason: null }
  if (line.detailCount > MAX_PAYMENTS)
    return { reason: `it has ${line.detailCount} payments, and only up to ${MAX_PAYMENTS} fund wallets automatically` }
  if (isReturn(line)) return { reason: 'it names a wallet, and the bank marks it as a return' }
  if (named.some((wallets) => wallets.length > 1)) return { reason: 'it names several wallets' }
  if (payments.length < line.detailCount || named.some((wallets) => wallets.length === 0))
    return { reason: 'not all of its payments name a wallet' }
  const parts = payments.flatMap(({ cents }, index) => {
    const [wallet] = named[index] as readonly NamedWallet[]
    return wallet && cents !== null && cents > 0 ? [{ ...wallet, cents }] : []
  })
  const sum = parts.reduce((total, { cents }) => total + cents, 0)
  if (parts.length < payments.length || sum !== line.cents)
    return { reason: 'the payments that name wallets do not sum up to it' }
  return { parts }
}

/** A credit to a wallet that was not taken back. `day`: the day on which the bank booked it (YYYY-MM-DD). */
export type OpenCredit = NamedWallet & { id: string; day: string; cents: number; content: LineContent }

export type ReturnVerdict = { credit: OpenCredit } | { reason: string | null }

/** A debit with the wallets that it names. */
export type DebitLine = { line: CreditLine; named: readonly NamedWallet[] }

/**
 * Finds the credit that a debit takes back: it is not later, and has the same amount and the same reference of the bank. A line that is marked as a return
 * can also share a reference of the customer, or name the wallet. `credits`: the credits of its amount on the same account, latest first.
 * `isCut`: there are more credits than these, so only those of the wallet that the line names are known.
 */
export function returnVerdict(
  { line, named }: DebitLine,
  { credits, isCut }: { credits: readonly OpenCredit[]; isCut: boolean },
): ReturnVerdict {
  const [wallet] = named
  if (named.length > 1) return { reason: 'it names several wallets' }
  if (!wallet && isCut)
    return { reason: isReturn(line) ? 'too many credits have its amount to know which one was returned' : null }
  const fitting = creditsBefore(line, ofWallet(credits, wallet))
  const sharing = sharingReferences(line, fitting)
  const [credit] = sharing
  if (credit && (wallet || sharing.length === 1)) return { credit }
  if (!wallet) return { reason: null }
  if (!isReturn(line)) return { reason: 'it takes money from a wallet, and the returned credit is unknown' }
  const [latest] = fitting
  return latest ? { credit: latest } : { reason: 'it takes back a credit that the wallet did not get' }
}

/**
 * Finds the credit of a return with a different amount: the only one with the same reference, or the only one of the wallet that it names.
 */
export function differingCredit({ line, named }: DebitLine, credits: readonly OpenCredit[]): OpenCredit | null {
  if (!isReturn(line) || named.length > 1) return null
  const [wallet] = named
  const possible = creditsBefore(line, ofWallet(credits, wallet))
  const sharing = sharingReferences(line, possible)
  const [only, ...others] = sharing.length > 0 ? sharing : wallet ? possible : []
  return only && others.length === 0 && only.cents !== -line.cents ? only : null
}

/** Credits by their references. */
export type CreditIndex = ReadonlyMap<string, ReadonlySet<OpenCredit>>

/** Indexes credits, so that each content is read once for all lines. */
export function indexCredits(credits: readonly OpenCredit[]): CreditIndex {
  const index = new Map<string, Set<OpenCredit>>()
  for (const credit of credits)
    for (const reference of referencesOf(credit.content, ALL_REFERENCES))
      index.set(reference, (index.get(reference) ?? new Set()).add(credit))
  return index
}

/** Returns the credits that share a reference of any kind with a line. */
export const creditsSharing = (index: CreditIndex, { content }: CreditLine): OpenCredit[] => [
  ...new Set(referencesOf(content, ALL_REFERENCES).flatMap((reference) => [...(index.get(reference) ?? [])])),
]

/** Returns whether a line can take back a credit that it names by a reference alone. */
export const hasReference = ({ line, named }: DebitLine): boolean =>
  named.length === 0 && referencesOf(line.content, isReturn(line) ? ALL_REFERENCES : BANK_REFERENCES).length > 0

/** Returns whether the bank marks a line as a return. */
export const isReturn = ({ kind, content }: CreditLine): boolean =>
  kind === 'return' || content.isReversal || content.returnReason !== null

const ofWallet = (credits: readonly OpenCredit[], wallet: NamedWallet | undefined): readonly OpenCredit[] =>
  wallet ? credits.filter(({ walletId }) => walletId === wallet.walletId) : credits

/** Returns the credits that a debit can take back, because the bank booked them on its day or earlier. */
const creditsBefore = ({ day }: CreditLine, credits: readonly OpenCredit[]): OpenCredit[] =>
  credits.filter((credit) => credit.day <= day)

function sharingReferences(line: CreditLine, credits: readonly OpenCredit[]): OpenCredit[] {
  const kinds = isReturn(line) ? ALL_REFERENCES : BANK_REFERENCES
  const own = referencesOf(line.content, kinds)
  return credits.filter(({ content }) => referencesOf(content, kinds).some((one) => own.includes(one)))
}

/** The kinds of references that banks give to a payment, and that its return repeats. */
export const BANK_REFERENCES = ['trace', 'transaction', 'uetr', 'bank'] as const

/** The references that payers choose, and that can occur in several payments. They only count if the bank marks the line as a return. */
const CUSTOMER_REFERENCES = ['end_to_end', 'customer'] as const

const ALL_REFERENCES = [...BANK_REFERENCES, ...CUSTOMER_REFERENCES]

/** The minimum length of a reference. Shorter references could be counters that start again each day. */
const MIN_REFERENCE = 8

/** Returns the references of some kinds that a line and its first payment have. */
export function referencesOf({ references, details }: LineContent, kinds: readonly ReferenceKind[]): string[] {
  const all = [references, ...details.slice(0, 1).map((one) => one.references)]
  return all
    .flatMap((some) => kinds.flatMap((kind) => some[kind] ?? []))
    .filter((one) => one.length >= MIN_REFERENCE && one !== 'NOTPROVIDED')
}
