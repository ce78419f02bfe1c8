import { addBankingDays } from '../../src/foundation/lib/banking-day.ts'
import { businessDate, formatDate } from '../../src/foundation/lib/clock.ts'

// The world's own books. They follow docs/money.md and know nothing of the program's tables: only what the parties requested and learned,
// and what the bank did. Each deal has an amount of its own, so that every entry and check names its deal by its amount.

/** A sum that one party owes another: a payment, or an invoice with all payments that were made for it. */
export type Deal = {
  cents: number
  payer: string
  payee: string
  from: 'bank' | 'wallet'
  paymentIds: Set<string>
  /** Why its payment may end as VOID. */
  isVoidAllowed: boolean
  /** The wallet that it is drawn on, and the one that it goes into. */
  fromWallet: string | null
  toWallet: string | null
  /** The bank of the payee that a credit goes to. Null if these books do not know it. */
  toBankId: string | null
  /** What the operator paid back by wire. */
  paidOutsideCents: number
  /** What the payer paid of its debt for it, after the debit came back and the payout had left. */
  debtPaidCents: number
  /** Who owes the money if the debit comes back after the payout. By default the payer. */
  debtor?: string
  /** Whether the payer has authorized the service to pay it when it falls due. */
  isPaidByItself: boolean
}

export type Side = 'debit' | 'payout' | 'refund'

/** One entry of a file for the bank. */
export type Entry = {
  deal: Deal
  side: Side
  file: string
  trace: string
  effective: string
  /**
   * `accepted`: it moved money. `gone`: rejected or canceled, so that the bank never applies it. `returned`: it came back, or the bank returned
   * another entry of the file before the acknowledgment that rejects it. The service may believe in such an entry until it reads the
   * acknowledgment.
   */
  state: 'written' | 'accepted' | 'returned' | 'gone'
  /** When the service read the return, or the acknowledgment that rejects the entry. */
  returnReadAt: Date | null
  /** Whether the bank has answered: with an acknowledgment, or with the return of an entry of the file. */
  isAnswered: boolean
  /** The debit whose money a credit moves, also if it comes back later. */
  debit?: Entry | undefined
}

/** `isStopped`: the bank has a stop order. It may still pay the check by mistake. */
export type Check = { deal: Deal; paidCents: number | null; isStopped: boolean }

type Sums = Record<Side, number> & {
  check: number
  returnedDebit: number
  returnedPayout: number
  returnedRefund: number
}

/** The banking days between settlement and trust (docs/money.md, "From a bank"). */
const TRUST_BANKING_DAYS = 2

/** Statuses and the statuses that may follow (docs/money.md). */
const NEXT: Record<string, readonly string[]> = {
  UNPAID: ['IN_PROCESS', 'PAID', 'PRINTED', 'VOID', 'EXPIRED'],
  IN_PROCESS: ['PAID', 'MAILED', 'FAILED', 'VOID', 'REFUNDED'],
  PRINTED: ['PAID', 'FAILED', 'VOID', 'EXPIRED'],
  MAILED: ['PAID', 'FAILED', 'VOID', 'EXPIRED'],
  PAID: ['FAILED'],
  FAILED: ['IN_PROCESS', 'PAID', 'VOID', 'REFUNDED'],
  REFUNDED: ['FAILED'],
  VOID: [],
  EXPIRED: [],
}

export type Books = ReturnType<typeof createBooks>

export function createBooks() {
  const deals = new Map<number, Deal>()
  const entries = new Map<string, Entry>()
  const entriesOf = new Map<Deal, Entry[]>()
  const checks = new Map<number, Check>()
  const checksOf = new Map<Deal, Check[]>()
  const dealOfPayment = new Map<string, Deal>()
  /** Deals whose sums may have changed since they were last compared. */
  const changed = new Set<Deal>()
  const statuses = new Map<string, string>()
  /** Payments that were REFUNDED once: their money belongs to the payer again, also while the bank rejects or returns the refund. */
  const refunded = new Set<string>()
  /** The daily limits of payers in cents, and what they sent: by payer and business day. */
  const dayLimits = new Map<string, number>()
  const sentOn = new Map<string, Deal[]>()
  /** Payers that sent something since their counters were last compared. */
  const spenders = new Set<string>()
  /** What outsiders paid into each wallet, less what they took back. */
  const fundedCents = new Map<string, number>()

  /** Money comes into a wallet from outside, or goes back. @param cents negative if it goes back */
  const fund = (walletId: string, cents: number): void => {
    fundedCents.set(walletId, (fundedCents.get(walletId) ?? 0) + cents)
  }

  /** Remembers what the service has told and read. @returns a function that goes back to it, because the service has forgotten the rest */
  function remember(): () => void {
    const told = new Map(statuses)
    const paidBack = new Set(refunded)
    const readBefore = new Set([...entries].filter(([, { returnReadAt }]) => returnReadAt !== null).map(([key]) => key))
    return () => {
      statuses.clear()
      for (const [id, status] of told) statuses.set(id, status)
      refunded.clear()
      for (const id of paidBack) refunded.add(id)
      for (const [key, entry] of entries) if (!readBefore.has(key)) entry.returnReadAt = null
    }
  }

  /** What payers owe for credits to their wallets that came back. */
  const walletDebts = new Map<string, number>()

  /** Returns an entry or a check that notes each of its changes. */
  function noting<One extends Entry | Check>(one: One): One {
    changed.add(one.deal)
    const set: ProxyHandler<One>['set'] = (target, name, value) => {
      changed.add(one.deal)
      return Reflect.set(target, name, value)
    }
    return new Proxy(one, { set })
  }

  const entriesOfDeal = (deal: Deal): Entry[] => entriesOf.get(deal) ?? []

  function addDeal(deal: Deal): void {
    deals.set(deal.cents, deal)
  }

  function addPayment(deal: Deal, paymentId: string): void {
    deal.paymentIds.add(paymentId)
    dealOfPayment.set(paymentId, deal)
  }

  /** The service made a payment by itself, for an invoice of a subscription. @returns the promises that it breaks */
  function adopt({ id, cents, at }: { id: string; cents: number; at: Date }): string[] {
    const deal = deals.get(cents)
    if (!deal?.isPaidByItself) return [`payment ${id} of ${cents}`]
    const sent = sentBy(deal.payer, at)
    // The payments of a batch were counted at its release. An invoice can be paid again.
    const isCounted = deal.paymentIds.size === 0 && sent.includes(deal)
    if (!isCounted) send(deal, sent)
    addPayment(deal, id)
    return []
  }

  /** What a payer sent on a business day. */
  function sentBy(payer: string, at: Date): Deal[] {
    const key = `${payer} ${businessDate(at, 'America/Los_Angeles')}`
    const known = sentOn.get(key) ?? []
    sentOn.set(key, known)
    return known
  }

  function send(deal: Deal, sent: Deal[]): void {
    sent.push(deal)
    spenders.add(deal.payer)
  }

  /** Returns the cents that payers sent on a business day, for those that sent something since the last call. */
  function takeSent(at: Date): Map<string, number> {
    const some = [...spenders]
    spenders.clear()
    return new Map(some.map((payer) => [payer, sentBy(payer, at).reduce((sum, { cents }) => sum + cents, 0)]))
  }

  /** The service accepted a payment of a deal, or refused it for the limit of a day. @returns the promises that it breaks */
  function spend(deal: Deal, { at, isRefused }: { at: Date; isRefused: boolean }): string[] {
    const limit = dayLimits.get(deal.payer) ?? Number.POSITIVE_INFINITY
    const sent = sentBy(deal.payer, at)
    const before = [...sent]
    const sum = (deals: readonly Deal[]) => deals.reduce((cents, one) => cents + one.cents, deal.cents)
    if (isRefused)
      return sum(before) <= limit ? [`${deal.payer}: ${deal.cents} were refused below the limit of ${limit}`] : []
    send(deal, sent)
    // A voided payment may give its amount back to the limit.
    const least = sum(before.filter(({ isVoidAllowed }) => !isVoidAllowed))
    return least > limit ? [`${deal.payer}: ${least} cents are above the limit of ${limit}`] : []
  }

  /** The service wrote an entry. `at`: when it decided to. @returns the promises that it breaks */
  function addEntry(
    given: Omit<Entry, 'deal' | 'state' | 'returnReadAt' | 'isAnswered'> & { cents: number },
    at: Date,
  ): string[] {
    const { cents, ...rest } = given
    const deal = deals.get(cents)
    if (!deal) return [`${rest.file} ${rest.trace} moves ${cents} cents, which nobody agreed on`]
    const entry = noting({ ...rest, deal, state: 'written', returnReadAt: null, isAnswered: false } as Entry)
    const problems = entry.side === 'debit' ? refuseDebit(entry) : refuseCredit(entry, at)
    entries.set(`${entry.file} ${entry.trace}`, entry)
    entriesOf.set(deal, [...entriesOfDeal(deal), entry])
    return problems.map((problem) => `${describe(entry)}: ${problem}`)
  }

  const countOut = (deal: Deal, isOne: (side: Side) => boolean): number =>
    entriesOfDeal(deal).filter(({ side, state }) => isOne(side) && isOut(state)).length

  /** Counts the payments whose money belongs to the payer again. If the payout of an invoice comes back, its payment is refunded at once. */
  const countBack = (deal: Deal): number => {
    const ids = [...deal.paymentIds]
    const failed = ids.slice(0, -1).filter((id) => statuses.get(id) === 'FAILED').length
    const returned = entriesOfDeal(deal).filter(({ side, state }) => side === 'payout' && state === 'returned').length
    return ids.filter((id) => refunded.has(id)).length + Math.min(failed, returned)
  }

  /** Whether the payee has a credit, or can still get it. */
  const hasCreditOut = (deal: Deal): boolean => countOut(deal, (side) => side === 'payout') > 0

  /** Nobody is debited twice: every earlier debit came back, never took effect, or belongs to the payer again. */
  function refuseDebit({ deal }: Entry): string[] {
    const given = Math.max(
      countOut(deal, (side) => side === 'refund'),
      countBack(deal),
    )
    const open = countOut(deal, (side) => side === 'debit') - given
    return open > 0 ? [`a second debit, after ${entriesOfDeal(deal).map(describe).join(', ')}`] : []
  }

  /** Nobody is paid without a debit that the bank accepted, that did not come back, and whose two banking days are over. */
  function refuseCredit(entry: Entry, at: Date): string[] {
    const { deal, side } = entry
    const own = entriesOfDeal(deal)
    const isSecond = side === 'payout' && countOut(deal, (other) => other === 'payout') > 0
    const problems = isSecond ? [`a second payout, after ${own.map(describe).join(', ')}`] : []
    if (deal.from !== 'bank') return problems
    const good = own.filter((one) => one.side === 'debit' && isGood(one, at))
    const credits = own.filter((one) => one.side !== 'debit' && isOut(one.state))
    entry.debit = good.find((debit) => !credits.some((one) => one.debit === debit))
    // Each payment of the deal can have a debt of its own, and its payer pays it once.
    const isDebtPaid = deal.debtPaidCents >= deal.cents * (credits.filter(({ debit }) => !debit).length + 1)
    // A credit may belong to another debit of the deal, which came back after it. At rest, the sums show who gave and got what.
    const isOther = good.length > 0 && own.filter((one) => one.side === 'debit').length > credits.length
    if (!entry.debit && !isDebtPaid && !isOther)
      return [...problems, `no accepted debit is left: ${own.map(describe).join(', ')}`]
    const today = businessDate(at, 'America/Los_Angeles')
    if (!isDebtPaid && !good.some(({ effective }) => trustedOn(effective) <= today)) {
      problems.push(`sent on ${today}, before the debit could be trusted: ${good.map(describe).join(', ')}`)
    }
    return problems
  }

  /** A credit to a wallet came back, and a part of its money was spent. */
  function oweForWallet(payer: string, cents: number): void {
    walletDebts.set(payer, owedForWallet(payer) + cents)
  }

  const owedForWallet = (payer: string): number => walletDebts.get(payer) ?? 0

  /**
   * A payer pays debts to the operator.
   *
   * @param parts what it pays for each payment, or for its wallet (null). The service tells this, because a debt depends on what it has read
   * of the bank's files, and the books do not know that for sure.
   * @returns the promises that the debts break
   */
  function payDebt(payer: string, parts: ReadonlyMap<string | null, number>): string[] {
    const problems: string[] = []
    for (const [paymentId, cents] of parts) {
      const deal = paymentId === null ? undefined : dealOfPayment.get(paymentId)
      if (!deal) {
        if (cents > owedForWallet(payer)) problems.push(`${payer} pays ${cents} for a wallet`)
        oweForWallet(payer, -cents)
        continue
      }
      deal.debtPaidCents += cents
      const isBack = entriesOfDeal(deal).some(({ side, state }) => side === 'debit' && state === 'returned')
      if (!isBack || (deal.debtor ?? deal.payer) !== payer || deal.debtPaidCents > deal.cents * deal.paymentIds.size)
        problems.push(`${payer} pays ${cents} for ${deal.cents}`)
    }
    return problems
  }

  function entryOf(file: string, trace: string): Entry | undefined {
    return entries.get(`${file} ${trace}`)
  }

  /** The service wrote a check that may be out from now on. @returns the promises that it breaks */
  function addCheck(number: number, cents: number): string[] {
    const deal = deals.get(cents)
    if (!deal) return [`check ${number} is about ${cents} cents, which nobody agreed on`]
    const known = checks.get(number)
    if (known) return known.deal === deal ? [] : [`check ${number} is of two payments`]
    const check = noting<Check>({ deal, paidCents: null, isStopped: false })
    checks.set(number, check)
    checksOf.set(deal, [...(checksOf.get(deal) ?? []), check])
    return []
  }

  /** What each party of a deal gave and got so far. */
  function sumsOf(deal: Deal): Sums {
    const sums = { debit: 0, payout: 0, refund: 0, check: 0, returnedDebit: 0, returnedPayout: 0, returnedRefund: 0 }
    for (const { side, state } of entriesOfDeal(deal)) {
      if (state === 'accepted') sums[side] += deal.cents
      else if (state === 'returned' && side === 'debit') sums.returnedDebit += deal.cents
      else if (state === 'returned' && side === 'payout') sums.returnedPayout += deal.cents
      else if (state === 'returned') sums.returnedRefund += deal.cents
    }
    for (const { paidCents } of checksOf.get(deal) ?? []) sums.check += paidCents ?? 0
    return sums
  }

  /** The service shows a status. @returns the promises that it breaks */
  function seeStatus(paymentId: string, status: string): string[] {
    const before = statuses.get(paymentId) ?? 'UNPAID'
    if (before === status) return []
    statuses.set(paymentId, status)
    if (status === 'REFUNDED') refunded.add(paymentId)
    const deal = dealOfPayment.get(paymentId)
    if (!deal) return []
    changed.add(deal)
    const problems = isReachable(before, status) ? [] : [`${before} cannot become ${status}`]
    return [...problems, ...untold(deal, status)].map((problem) => `payment ${paymentId} of ${deal.cents}: ${problem}`)
  }

  /** A status says what happened: its cause must be in these books. */
  function untold(deal: Deal, status: string): string[] {
    const own = entriesOfDeal(deal)
    const hasCheck = (checksOf.get(deal) ?? []).some(({ paidCents }) => paidCents !== null)
    const isPaidOut = own.some(({ side, state }) => side === 'payout' && (state === 'accepted' || state === 'returned'))
    if (status === 'PAID' && deal.toWallet === null && !isPaidOut && !hasCheck)
      return ['PAID, and the payee has nothing']
    if (status === 'VOID' && !deal.isVoidAllowed) return ['VOID, and nobody asked for it']
    return []
  }

  /** What must hold at any moment. The sums of a deal change only with its entries, its checks and the statuses of its payments. */
  function problemsNow(): string[] {
    const some = [...changed]
    changed.clear()
    return some.flatMap((deal) => {
      const { debit, payout, refund, check, returnedDebit, returnedRefund } = sumsOf(deal)
      const problems: string[] = []
      if (payout + check > deal.cents) problems.push(`the payee got ${payout + check}`)
      // A refund that was rejected or came back is sent again. An invoice can be paid again in between.
      const given = Math.max(refund + returnedRefund, countBack(deal) * deal.cents)
      if (debit - given > deal.cents) problems.push(`the payer gave ${debit - given}`)
      if (deal.from === 'bank' && payout + check + refund > debit + returnedDebit + deal.debtPaidCents)
        problems.push(`${payout} + ${check} + ${refund} left, and only ${debit} + ${returnedDebit} came`)
      return problems.map((problem) => `deal ${deal.cents}: ${problem}`)
    })
  }

  /**
   * Checks the deals when nothing is on its way.
   *
   * @param waiting payments that a case is about
   * @param owedCents the debts for payments, by the id of the payment, as the service states them
   * @returns the promises that are broken
   */
  function problemsAtRest(waiting: ReadonlySet<string>, owedCents: ReadonlyMap<string, number>): string[] {
    return [...deals.values()].flatMap((deal) => {
      const ids = [...deal.paymentIds]
      if (ids.some((id) => waiting.has(id))) return []
      const own = ids.map((id) => statuses.get(id) ?? 'UNPAID')
      const owed = ids.reduce((sum, id) => sum + (owedCents.get(id) ?? 0), 0)
      return misplaced(deal, own, owed).map((problem) => `deal ${deal.cents} (${own.join(', ')}): ${problem}`)
    })
  }

  function misplaced(deal: Deal, own: readonly string[], owed: number): string[] {
    const { debit, payout, refund, check } = sumsOf(deal)
    const paid = own.filter((status) => status === 'PAID').length
    const problems: string[] = []
    if (paid > 1) problems.push('two payments of one deal are PAID')
    if (deal.toWallet === null && paid === 1 && payout + check !== deal.cents)
      problems.push(`the payee got ${payout + check}`)
    // If a debit came back after its payout or refund, the payer owes it, or has paid it.
    const gave = debit + deal.debtPaidCents + owed
    const got = refund + deal.paidOutsideCents
    if (deal.from === 'bank' && gave < got + payout + check)
      problems.push(`the payer gave ${gave}, got ${got} back, and the payee got ${payout + check}`)
    if (!own.every((status) => ['PAID', 'VOID', 'EXPIRED', 'REFUNDED'].includes(status))) return problems
    if (paid === 0 && payout > 0) problems.push(`the payee got ${payout}`)
    if (deal.from === 'bank' && check === 0 && gave !== got + paid * deal.cents)
      problems.push(`the payer gave ${gave} and got ${got} back`)
    return problems
  }

  /** What the wallets must hold. @param inTransit the payments whose money is not back yet */
  function walletCents(inTransit: ReadonlySet<string>): Map<string, number> {
    const cents = new Map(fundedCents)
    const add = (id: string | null, change: number) => id && cents.set(id, (cents.get(id) ?? 0) + change)
    for (const deal of deals.values()) {
      const ids = [...deal.paymentIds]
      if (ids.length === 0) continue // the service does not know it
      const own = ids.map((paymentId) => statuses.get(paymentId) ?? 'UNPAID')
      if (own.includes('PAID')) add(deal.toWallet, deal.cents)
      const isCashed = (checksOf.get(deal) ?? []).some(({ paidCents }) => paidCents !== null)
      const isOpen = own.some((status) => !['VOID', 'EXPIRED', 'REFUNDED'].includes(status))
      if (isOpen || isCashed || ids.some((id) => inTransit.has(id))) add(deal.fromWallet, -deal.cents)
    }
    return cents
  }

  return {
    deals,
    checks,
    statuses,
    dayLimits,
    fund,
    spend,
    takeSent,
    hasCreditOut,
    addDeal,
    addPayment,
    adopt,
    remember,
    addEntry,
    oweForWallet,
    owedForWallet,
    payDebt,
    entryOf,
    addCheck,
    seeStatus,
    sumsOf,
    entriesOfDeal,
    problemsNow,
    problemsAtRest,
    walletCents,
    dealOf: (paymentId: string) => dealOfPayment.get(paymentId),
  }
}

const isOut = (state: Entry['state']): boolean => state === 'written' || state === 'accepted'

/** A debit that the service may use: the bank said that it accepted it, and the service had not read before that it came back. */
const isGood = ({ state, returnReadAt, isAnswered }: Entry, at: Date): boolean =>
  isAnswered && (state === 'accepted' || (state === 'returned' && (returnReadAt === null || returnReadAt >= at)))

const describe = ({ side, file, trace, state, deal }: Entry): string =>
  `${side} of ${deal.cents} in ${file} ${trace} (${state})`

/** A day of an entry (YYMMDD) and the banking days of trust. */
const trustedOn = (effective: string): string =>
  formatDate(
    addBankingDays(
      new Date(`20${effective.slice(0, 2)}-${effective.slice(2, 4)}-${effective.slice(4)}T00:00:00Z`),
      TRUST_BANKING_DAYS,
    ),
  )

/** Whether a status can follow another one at once. */
export const isDirect = (from: string, to: string): boolean => (NEXT[from] ?? []).includes(to)

/** Whether a status can follow another one, over others that nobody saw. */
function isReachable(from: string, to: string): boolean {
  const seen = new Set([from])
  for (const status of seen) for (const next of NEXT[status] ?? []) seen.add(next)
  return from !== to && seen.has(to)
}
