import { ISO_RAILS, type IsoRail } from '../../../foundation/core/connections.ts'
import { fieldError } from '../../../foundation/core/errors.ts'
import { connectionOfRail } from '../../../foundation/core/operator-account.ts'
import { isAbaRoutingNumber } from '../../../foundation/core/routing-number.ts'
import type { Deps, TxDeps } from '../../../foundation/db/deps.ts'
import { readBankAccounts } from '../../../money/bank/bank-correction-actions.ts'
import { readWireAccount, readWireAccounts, type WireAccount } from '../../../money/destination/destination-actions.ts'
import { isIban } from '../../../money/destination/destination-rules.ts'
import { orderProblems } from '../../../money/iso20022/message/credit-transfer-rules.ts'
import { agreedParts, limitProblem, type OrderDetails } from '../../../money/iso20022/order/order-rules.ts'
import type { LegRow } from '../../../money/rail/leg-store.ts'
import type { Rail } from '../../../money/rail/rail-rules.ts'
import { listAchReceivers, listSenderNames } from './ach-receiver-store.ts'

/** Returns the payees and the texts of the legs' orders, by leg id. */
export async function orderDetailsOf(deps: TxDeps, legs: readonly LegRow[]): Promise<Map<string, OrderDetails>> {
  const accountIds = new Map(legs.map(({ id, accountId }) => [id, accountId]))
  const rows = (await listAchReceivers(deps.sql, legs)).flatMap((row) => {
    const id = accountIds.get(row.legId)
    return id ? [{ ...row, accountId: id }] : []
  })
  const keys = rows.map(({ bankPlatformId: platformId, accountId: id }) => ({ platformId, id, bankId: id }))
  const senders = new Map((await listSenderNames(deps.sql, legs)).map(({ legId, name }) => [legId, name]))
  const banks = await readBankAccounts(deps, keys)
  const wires = await readWireAccounts(deps, keys)
  return new Map(
    rows.flatMap((row) => {
      const account = wires.get(row.accountId) ?? bankAccountOf(banks.get(row.accountId))
      return account ? [[row.legId, detailsOf({ ...row, sender: senders.get(row.legId) ?? null }, account)]] : []
    }),
  )
}

const bankAccountOf = (bank: { account: { routingNumber: string; accountNumber: string } } | undefined) =>
  bank && { routing: bank.account.routingNumber, accountNumber: bank.account.accountNumber, address: null }

type Texts = { name: string; description?: string | null | undefined }
type TextsWithSender = Texts & { sender: string | null }

const detailsOf = (
  { name, description, sender }: TextsWithSender,
  { routing, accountNumber, address }: WireAccount,
): OrderDetails => ({
  sender,
  creditor: {
    name,
    address,
    account: isIban(accountNumber) ? { iban: accountNumber } : { number: accountNumber },
  },
  creditorBank: {
    ...(isAbaRoutingNumber(routing) ? { bic: null, clearingNumber: routing } : { bic: routing, clearingNumber: null }),
    ...{ name: null, address: null },
  },
  ...textsOf(description),
})

/** The maximum length of a memo that banks forward. */
const MEMO_LENGTH = 140

const textsOf = (description: string | null | undefined) => {
  const memo = description ? [...description].slice(0, MEMO_LENGTH).join('') : null
  return { memo, regulatoryText: memo }
}

/** Stands for a bank account in the United States, which was checked when it was added. */
const CHECKED_BANK: WireAccount = { routing: '021000021', accountNumber: '0000', address: null }

const isIsoRail = (rail: Rail): rail is IsoRail => (ISO_RAILS as readonly Rail[]).includes(rail)

/** An account of a payee. Only the kind `wire` is read. */
type GivenAccount = { kind: string | null; platformId: string; id: string }

/**
 * Refuses a payment whose order the bank would refuse: letters that it cannot read, a missing address, or an amount above its limit. Rails
 * without such orders refuse nothing.
 *
 * @throws ApiError invalid_request
 */
export async function requireOrderable(
  deps: Pick<Deps | TxDeps, 'sql' | 'keyRing' | 'log' | 'connections' | 'settings'>,
  { rail, account, name, description, amountCents }: Texts & { rail: Rail; account: GivenAccount; amountCents: number },
): Promise<void> {
  if (!isIsoRail(rail) || deps.settings.railNetwork === 'simulated') return
  const terms = connectionOfRail(deps.connections.current(), rail)?.iso20022?.terms
  const given = account.kind === 'wire' ? await readWireAccount(deps, account) : CHECKED_BANK
  if (!terms || !given) return
  const limit = limitProblem(terms.rails[rail], amountCents)
  if (limit !== null) throw fieldError('invalid_request', 'amount', limit)
  const { sender, ...details } = detailsOf({ name, description, sender: null }, given)
  const order = {
    ...{ ...details, rail, legId: '0', accountId: '', executeOn: '', cents: 1, currency: 'USD' },
    ...agreedParts(terms.rails[rail], { sender }),
  }
  const [problem] = orderProblems({ terms, order })
  if (problem) throw refusalOf(problem)
}

/** The element of an order for each field of a request. */
const FIELDS: readonly (readonly [element: string, field: string])[] = [
  ['Cdtr/Nm', 'name'],
  ['RmtInf', 'description'],
  ['RgltryRptg', 'description'],
]

/** The field of a wire account for each element of an address. */
const ADDRESS_FIELDS: Readonly<Record<string, string>> = {
  StrtNm: 'line_1',
  PstCd: 'zip',
  TwnNm: 'city',
  CtrySubDvsn: 'state',
  Ctry: 'holder_country',
}

function refusalOf({ place, message }: { place: string; message: string }) {
  const field = FIELDS.find(([element]) => place.startsWith(element))?.[1]
  if (field) return fieldError('invalid_request', field, message)
  const [, element = null] = /^Cdtr\/PstlAdr\/(\w+)$/.exec(place) ?? []
  const part = element === null ? place : (ADDRESS_FIELDS[element] ?? element)
  return fieldError(
    'invalid_request',
    'account',
    element !== null && message === 'is missing'
      ? 'has no address of its holder, which the bank requires: city and country at least. Add the account again with it'
      : `cannot be paid: the bank would refuse it, because its ${part} ${message}. Add the account again, or choose another one`,
  )
}
