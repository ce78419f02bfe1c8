import { calendarOf, calendarOfRail } from '../../../connections/exchange/bank-calendar-rules.ts'
import { createOutgoingFile } from '../../../connections/exchange/outgoing-file-actions.ts'
import type { Connection } from '../../../foundation/core/connections.ts'
import { isConfiguredAccount } from '../../../foundation/core/operator-account.ts'
import type { Deps, TxDeps } from '../../../foundation/db/deps.ts'
import { currentDigestKey } from '../../../foundation/db/digests.ts'
import { failItem, type ItemFailed, inTransactionSkippingFailed } from '../../../foundation/db/failed-items.ts'
import { type Isolation, isolate } from '../../../foundation/db/isolation.ts'
import { runInGroup } from '../../../foundation/db/statement-group.ts'
import { inUndoneTransaction } from '../../../foundation/db/transaction.ts'
import { readBankHolds } from '../../../foundation/exception/bank-hold-actions.ts'
import { recordException } from '../../../foundation/exception/exception-actions.ts'
import { nextAchWindow, nextSettlementDate } from '../../../foundation/lib/banking-day.ts'
import { formatDate } from '../../../foundation/lib/clock.ts'
import { newId } from '../../../foundation/lib/ids.ts'
import { type LegHandlers, legsToFile, platformsToFile, postponeLeg, sendLegInFile } from '../../rail/leg-actions.ts'
import { refuseLeg } from '../../rail/leg-refusal-actions.ts'
import type { LegRow } from '../../rail/leg-store.ts'
import { type RestoreGap, readRestoreGap } from '../../rail/restore-hold-actions.ts'
import { chooseEntryClass } from '../format/nacha-authorization-rules.ts'
import { buildNachaFile } from '../format/nacha-build-rules.ts'
import { formatRdfi, type NachaEntry, RETRY_ENTRY_DESCRIPTION } from '../format/nacha-entry-rules.ts'
import { type NachaOrigin, nachaOriginOf } from '../format/nacha-origin-rules.ts'
import {
  buildBatches,
  creationDateOf,
  type DraftEntry,
  entryDescriptions,
  fileNameOf,
  limitLegsToFile,
  MAX_LEGS_PER_FILE,
  modifierAfter,
  receiverIdOf,
  sumOfEntries,
} from './ach-file-rules.ts'
import { insertAchEntries, insertAchFile, readCounts, sumOfDay, tryLockAchFiles } from './ach-file-store.ts'
import { isSameAccount } from './ach-inbound-rules.ts'
import { isAtBank, type MatchedAtBank, matchAtBank, readKnownAtBank } from './ach-restore-actions.ts'

/** The receiver of an entry: the holder of the account that is paid or debited. */
export type AchReceiver = Pick<NachaEntry, 'account' | 'receiverId' | 'receiverName'> & {
  holder: 'consumer' | 'business'
  /** Whether a scanned check is the authorization. If so, `receiverId` is the check's number. */
  isCheck: boolean
  remittance: string | null
  /** Whether an earlier entry for this debit was returned for insufficient funds. */
  isRetry: boolean
  /** When the bank corrected the number of the account for the last time. */
  correctedAt: Date | null
}

/** Functions of higher folders, which leg-handlers.ts provides. */
export type AchHooks = {
  handlers: LegHandlers
  /** Returns the receivers of legs, by leg id. A leg whose account cannot be found has none. */
  receiversOf(deps: TxDeps, legs: readonly LegRow[]): Promise<Map<string, AchReceiver>>
  /** Applies a correction that the bank of a leg's account reported. @returns null, or the reason why it cannot be applied */
  correct(
    deps: TxDeps,
    leg: LegRow,
    told: { corrected: Corrected; source: { connectionId: string; fileId: string; fileName: string; line: number } },
  ): Promise<string | null>
}

export type Corrected = { routingNumber?: string; accountNumber?: string; accountKind?: 'checking' | 'savings' }

/** The maximum number of legs whose statements run at the same time. */
const LEGS_AT_A_TIME = 400

/**
 * Commits one file of the waiting legs. One transaction contains the trace numbers, the effects of sending, and the bytes of the file. A
 * later pass writes the file.
 *
 * @returns the number of entries, or 0 if none is waiting or another worker is making a file
 */
export function makeAchFile(deps: Deps, hooks: AchHooks, connection: Connection): Promise<number> {
  const isolation = isolate(deps, 'write ACH files')
  // A leg that fails is left out and put into a later file.
  const skip = ({ cause, item }: ItemFailed<LegRow>) => failLeg(isolation, item, cause)
  const make =
    (platformId?: string) =>
    (tx: TxDeps, failed: readonly LegRow[] = []) =>
      makeFile(tx, hooks, { connection, isolation, failed, platformId })
  return isolation.runWithoutFailing({
    all: () => inTransactionSkippingFailed(deps, skip, make()),
    platforms: (skipped) => platformsToFile(deps, { ...waiting, until: deps.clock.now(), skipped }),
    tryOne: (platformId) => inUndoneTransaction(deps, make(platformId)),
  })
}

const waiting = { rail: 'ACH' } as const

const failLeg = (isolation: Isolation, { platformId, id }: LegRow, error: unknown) =>
  isolation.fail({ platformId, kind: 'leg', id }, error)

async function makeFile(
  tx: TxDeps,
  hooks: AchHooks,
  {
    connection,
    isolation,
    failed,
    platformId,
  }: { connection: Connection; isolation: Isolation; failed: readonly LegRow[]; platformId: string | undefined },
): Promise<number> {
  if (!(await tryLockAchFiles(tx.sql))) return 0
  const now = tx.clock.now()
  const given = isolation.skipped()
  const skipped = { ...given, ids: [...given.ids, ...failed.map(({ id }) => id)] }
  const query = { ...waiting, until: now, skipped, platformId }
  const found = await legsToFile(tx, { ...query, limit: MAX_LEGS_PER_FILE, isLimited: isLimited(connection) })
  if (found.length === 0) return 0
  const calendar = calendarOf(connection)
  const creationDate = creationDateOf(now, calendar)
  const { sentBefore, modifiers } = await readCounts(tx.sql, { creationDate })
  const modifier = modifierAfter(modifiers)
  if (modifier === null) throw new Error(`all ACH file names of ${creationDate} are used`)

  const origin = nachaOriginOf(connection)
  if (!origin) throw new Error(`the connection ${connection.id} has no ACH agreement`)
  const legs = await legsWithinLimits(tx, { connection, origin, found, creationDate })
  const drafts = await sendLegs(tx, hooks, { isolation, legs })
  if (drafts.length === 0) return 0
  const effectiveEntryDate = nextSettlementDate(now, calendar)
  const { batches, traced, balancing } = buildBatches(drafts, { origin, sentBefore, effectiveEntryDate })
  const content = buildNachaFile({
    origin,
    createdAt: now,
    timeZone: calendar.timeZone,
    fileIdModifier: modifier,
    batches,
  })
  const id = newId(tx)
  const name = fileNameOf({ creationDate, modifier })
  await createOutgoingFile(tx, {
    id,
    connectionId: connection.id,
    kind: 'ach',
    name,
    effectiveAt: effectiveEntryDate,
    parts: [{ name: `${name}.ach`, content }],
    platformIds: drafts.map(({ leg }) => leg.platformId),
  })
  await insertAchFile(tx.sql, {
    id,
    creationDate,
    modifier,
    effectiveDate: formatDate(effectiveEntryDate),
    sentBefore,
    entryCount: traced.length,
    companyId: origin.companyId,
    ...sumOfEntries(batches),
    balancingDebitCents: balancing.debit,
    balancingCreditCents: balancing.credit,
  })
  const keyId = await currentDigestKey(tx)
  const entries = traced.map(({ traceNumber, leg, account: { routingNumber, accountNumber } }) => {
    return {
      traceNumber,
      leg,
      rdfi: formatRdfi(routingNumber),
      accountDigest: tx.keyRing.digest(accountNumber, 'ach account', keyId),
    }
  })
  await insertAchEntries(tx.sql, id, entries)
  tx.afterCommit(() => isolation.succeed(drafts.map(({ leg }) => leg.id)))
  return traced.length
}

const isLimited = ({ ach }: Connection): boolean => Object.values(ach?.limits ?? {}).some((limit) => limit !== null)

type LimitedLegs = { connection: Connection; origin: NachaOrigin; found: readonly LegRow[]; creationDate: string }

/** Returns the legs that fit into this file within the bank's limits. A leg that is above a limit by itself becomes an exception. */
async function legsWithinLimits(
  tx: TxDeps,
  { connection, origin, found, creationDate }: LimitedLegs,
): Promise<readonly LegRow[]> {
  const limits = connection.ach?.limits ?? { entriesPerFile: null, centsPerFile: null, centsPerDay: null }
  const sentToday = await sumOfDay(tx.sql, { connectionId: connection.id, creationDate })
  const { within, above } = limitLegsToFile(found, {
    isBalanced: origin.settlementAccount !== null,
    hasMore: found.length === MAX_LEGS_PER_FILE,
    limits,
    sentToday: { debit: sentToday.debitCents, credit: sentToday.creditCents },
  })
  for (const leg of above) await reportAboveLimit(tx, leg, connection)
  return within
}

const reportAboveLimit = (tx: TxDeps, leg: LegRow, { id }: Connection): Promise<void> =>
  recordException(tx, {
    platformId: leg.platformId,
    kind: 'above_bank_limit',
    paymentId: leg.purpose === 'micro_deposit' ? null : leg.subjectId,
    legId: leg.id,
    userId: leg.userId,
    cents: leg.cents,
    note: `The entry is above the limit of the connection ${id}. It waits until the limit is raised.`,
  })

/** Sends the legs that are still waiting. @returns their ACH entries */
async function sendLegs(
  tx: TxDeps,
  hooks: AchHooks,
  { isolation, legs }: { isolation: Isolation; legs: readonly LegRow[] },
): Promise<DraftEntry[]> {
  const receivers = await hooks.receiversOf(tx, legs)
  const { accounts: heldAccounts } = await readBankHolds(tx)
  /**
   * Returns whether a leg would debit or credit an account of the service. Users cannot add such accounts, so this guards against our own
   * mistakes.
   */
  const isOwn = ({ account: { routingNumber, accountNumber } }: AchReceiver) =>
    isConfiguredAccount(tx, { routing: routingNumber, account: accountNumber })
  const isHeld = (leg: LegRow, { account }: AchReceiver) =>
    leg.direction === 'debit' && heldAccounts.some((held) => isSameAccount(held, account))
  const known: { leg: LegRow; receiver: AchReceiver }[] = []
  for (const leg of legs) {
    const receiver = receivers.get(leg.id)
    if (!receiver) failLeg(isolation, leg, new Error('the bank account cannot be found or opened'))
    else if (isOwn(receiver)) await refuseOwn(tx, hooks, leg)
    else known.push({ leg, receiver })
  }
  const matches = matchAtBank(tx, await readKnownAtBank(tx, known), known)
  const gap = await readRestoreGap(tx)
  const drafts: DraftEntry[] = []
  for (let start = 0; start < known.length; start += LEGS_AT_A_TIME) {
    const some = known.slice(start, start + LEGS_AT_A_TIME)
    const made = await runInGroup(tx.sql, some, {
      keysOf: () => [],
      inHalves: true,
      run: async ({ leg, receiver }) =>
        isHeld(leg, receiver) ? waitForDecision(tx, leg) : sendLeg(tx, hooks, { leg, receiver, matches, gap }),
    })
    drafts.push(...made.filter((draft) => draft !== null))
  }
  return drafts
}

const refuseOwn = (tx: TxDeps, { handlers }: AchHooks, leg: LegRow): Promise<void> =>
  refuseLeg(tx, handlers, {
    leg,
    kind: 'leg_unsendable',
    note: 'The entry was not put into a file: it would debit or credit an account of this service.',
  })

/** Postpones the debit of an account whose correction waits for a decision. It is tried again at the next cut-off. */
async function waitForDecision(tx: TxDeps, leg: LegRow): Promise<null> {
  const calendar = calendarOfRail(tx.connections.current(), leg.rail)
  await postponeLeg(tx, leg, nextAchWindow(new Date(tx.clock.now().getTime() + 1), calendar))
  return null
}

async function sendLeg(
  tx: TxDeps,
  { handlers }: AchHooks,
  { leg, receiver, ...atBank }: { leg: LegRow; receiver: AchReceiver; matches: MatchedAtBank; gap: RestoreGap },
): Promise<DraftEntry | null> {
  const send = async () => {
    const draft = draftOf(leg, receiver)
    if (await isAtBank(tx, handlers, { leg, ...atBank })) return null
    return (await sendLegInFile(tx, handlers, leg)) ? draft : null
  }
  return send().catch(failItem(leg))
}

const draftOf = (
  { platformId, id, purpose, direction, cents }: LegRow,
  { holder, isCheck, remittance, isRetry, ...receiver }: AchReceiver,
): DraftEntry => {
  const { secCode, hasAddenda } = chooseEntryClass({ holder, direction, isCheck })
  return {
    leg: { platformId, id },
    secCode,
    entryDescription: isRetry ? RETRY_ENTRY_DESCRIPTION : entryDescriptions[purpose],
    entry: {
      ...receiver,
      receiverId: receiverIdOf({ id }, receiver),
      direction,
      amountCents: cents,
      ...(remittance !== null && hasAddenda && { remittance }),
    },
  }
}
