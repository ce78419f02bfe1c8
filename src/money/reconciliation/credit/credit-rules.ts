import type { LineDetail, ReferenceKind, References } from '../../statement/statement-types.ts'
import type { NamedWallet } from '../../wallet/wallet-number-actions.ts'

/** The sealed content of a line: all its data that has no column. */
export type LineContent = {
  name: string | null
  text: string
  references: References
  details: readonly LineDetail[]
  isReversal: boolean
  returnReason: string | null
}

/** A line that may add money to a wallet, or take a credit back. `detailCount`: the number of payments in the line. */
export type CreditLine = { id: string; cents: number; kind: string; detailCount: number; content: LineContent }

/** One payment of a line. `cents` is null if the bank gives no amount for it. */
export type LinePayment = { cents: number | null; texts: string[] }

/** Returns the payments of a line with the texts that can name a wallet. */
export function paymentsOf({ cents, content }: CreditLine): LinePayment[] {
  const { name, text, references, details } = content
  const own = [name ?? '', text, ...Object.values(references)]
  if (details.length <= 1) return [{ cents, texts: [...own, ...details.flatMap(textsOf)] }]
  return details.map((one) => ({ cents: one.cents, texts: textsOf(one) }))
}

const textsOf = ({ name, text, references }: LineDetail): string[] => [name ?? '', text, ...Object.values(references)]

export type WalletPart = NamedWallet & { cents: number }

/** The decision about a credit: it is added to the wallets that it names, or to none. `reason` is null if it names none. */
export type CreditVerdict = { parts: WalletPart[] } | { reason: string | null }

/** Decides about a credit. @param named the wallets that each payment of the line names */
export function creditVerdict(
  line: CreditLine,
  payments: readonly LinePayment[],
  named: readonly (readonly NamedWallet[])[],
): CreditVerdict {
  if (named.every((wallets) => wallets.length === 0)) return { reason: null }
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

/** A credit to a wallet that was not taken back. */
export type OpenCredit = NamedWallet & { id: string; cents: number; content: LineContent }

export type ReturnVerdict = { credit: OpenCredit } | { reason: string | null }

/**
 * Finds the credit that a debit takes back. It must have the same amount and the same reference of the bank. If the bank marks the line as
 * a return, a common reference of the customer, or the name of the wallet, is also enough. `credits`: those of this amount on the same
 * account, latest first.
 */
export function returnVerdict(
  line: CreditLine,
  { named, credits }: { named: readonly NamedWallet[]; credits: readonly OpenCredit[] },
): ReturnVerdict {
  const [wallet] = named
  if (named.length > 1) return { reason: 'it names several wallets' }
  const fitting = wallet ? credits.filter(({ walletId }) => walletId === wallet.walletId) : credits
  const kinds = isReturn(line) ? [...BANK_REFERENCES, ...CUSTOMER_REFERENCES] : BANK_REFERENCES
  const own = referencesOf(line.content, kinds)
  const sharing = fitting.filter(({ content }) => referencesOf(content, kinds).some((one) => own.includes(one)))
  const [credit] = sharing
  if (credit && (wallet || sharing.length === 1)) return { credit }
  if (!wallet) return { reason: null }
  if (!isReturn(line)) return { reason: 'it takes money from a wallet, and nothing says which credit came back' }
  const [latest] = fitting
  return latest ? { credit: latest } : { reason: 'it takes back a credit that the wallet did not get' }
}

const isReturn = ({ kind, content }: CreditLine): boolean =>
  kind === 'return' || content.isReversal || content.returnReason !== null

const BANK_REFERENCES = ['trace', 'transaction', 'uetr', 'bank'] as const

/** The references that payers choose, and that can occur in several payments. They only count if the bank marks the line as a return. */
const CUSTOMER_REFERENCES = ['end_to_end', 'customer'] as const

/** The minimum length of a reference. Shorter references could be counters that start again each day. */
const MIN_REFERENCE = 8

function referencesOf({ references, details }: LineContent, kinds: readonly ReferenceKind[]): string[] {
  const all = [references, ...details.slice(0, 1).map((one) => one.references)]
  return all
    .flatMap((some) => kinds.flatMap((kind) => some[kind] ?? []))
    .filter((one) => one.length >= MIN_REFERENCE && one !== 'NOTPROVIDED')
}
