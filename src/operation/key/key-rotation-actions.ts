import { setTimeout as sleep } from 'node:timers/promises'
import { closeChains } from '../../foundation/audit/audit-closing-actions.ts'
import type { Deps, TxDeps } from '../../foundation/db/deps.ts'
import { chooseDigestKey, currentDigestKey } from '../../foundation/db/digests.ts'
import { sealedColumns } from '../../foundation/db/key-columns.ts'
import { type KeyUse, listKeyUses } from '../../foundation/db/key-uses.ts'
import { inTransaction } from '../../foundation/db/transaction.ts'
import { classifyDatabaseError, isDatabaseDown } from '../../foundation/db/trouble.ts'
import { addDays } from '../../foundation/lib/clock.ts'
import { StartProblem } from '../../foundation/lib/start-problem.ts'
import { normalizeEmail } from '../../foundation/lib/text/email.ts'
import { parseNachaFiles } from '../../money/ach/format/nacha-parse-rules.ts'
import { accountDigestOf } from '../../money/bank/bank-account-actions.ts'
import { renewNumberDigests } from '../../money/wallet/wallet-number-actions.ts'
import { openPaperAccount, storePaperDigest } from '../../payments/check/printing/print-check-actions.ts'
import { recipientDigest } from '../../payments/recipient/unsubscribe-actions.ts'
import { askForNewCodes } from '../../people/auth/two-factor/two-factor-actions.ts'
import { type Rotation, type RotationFailure, resealColumn, withoutTimeLimit } from './key-reseal-actions.ts'
import {
  type AccountColumns,
  type AccountToRenew,
  accountColumns,
  deleteUnknownRecipients,
  deleteUnusedSerial,
  findAchContent,
  forgetSpentKeys,
  listAccountsToRenew,
  listAchFilesToRenew,
  listEntriesToRenew,
  listPaymentRecipients,
  listPlatforms,
  listRecipientsToRenew,
  listSerialsToRenew,
  listSuppressionsToRenew,
  removeTimeLimit,
  renewChecks,
  updateEntryDigests,
  updateSuppressionEmail,
} from './key-store.ts'

const ROWS_PER_BATCH = 500
/**
 * The number of rounds in which all values are read. A round skips rows that another transaction has locked, and the next round reads them
 * again.
 */
const ROUNDS = 3

/**
 * Reseals all values with the primary key, recomputes digests, and closes audit chains (docs/keys.md). It can be stopped at any time and
 * run again, even by two processes at the same time. Failures are reported, and the values that failed are unchanged.
 *
 * @throws StartProblem if a long transaction in the database still uses the old digest key
 */
export async function rotateKeys(deps: Deps, tell: (what: string, count: number) => void): Promise<RotationFailure[]> {
  const keyId = deps.keyRing.ids[0]
  let failures: RotationFailure[] = []
  const rotation: Rotation = {
    deps,
    keyId,
    tell: (what, count) => {
      if (count === 0) return
      deps.log.info({ key: keyId, what, count }, 'keys rotated')
      tell(what, count)
    },
    fail: (failure, error) => {
      if (isDatabaseDown(error)) throw error
      failures.push(failure)
      deps.log.error({ ...failure, ...(error !== undefined && { err: error }) }, 'key rotation failed here')
    },
  }
  await switchDigestKey(rotation)
  for (let round = 1; round <= ROUNDS; round++) {
    failures = []
    await rotateOnce(rotation)
    const left = await usesLeft(rotation)
    if (failures.length === 0 && left === 0) break
  }
  return failures
}

/** Counts the key uses that another round could replace. */
async function usesLeft({ deps, keyId }: Rotation): Promise<number> {
  const uses = await getKeyUses(deps)
  return uses.filter((use) => use.keyId !== keyId && ['reseal', 'renewed', 'chain'].includes(use.fate)).length
}

/** Lists the data that still needs each key. Reads the whole database. */
export const getKeyUses = (deps: Deps): Promise<KeyUse[]> =>
  inTransaction(deps, async (tx) => {
    await removeTimeLimit(tx.sql)
    return listKeyUses(tx.sql, deps.keyRing.ids)
  })

const SWITCH_ATTEMPTS = 100
const SWITCH_PAUSE_MS = 500

/** Switches the digest key. Retries until no transaction uses digests at that moment. Between attempts, other transactions can continue. */
async function switchDigestKey({ deps, keyId }: Rotation): Promise<void> {
  if ((await inTransaction(deps, currentDigestKey)) === keyId) return
  for (let attemptsLeft = SWITCH_ATTEMPTS; ; attemptsLeft--) {
    try {
      const { former } = await inTransaction(deps, ({ sql }) => chooseDigestKey(sql, keyId))
      deps.log.info({ from: former, to: keyId }, 'digests now use another master key')
      return
    } catch (error) {
      if (classifyDatabaseError(error) !== 'too_slow') throw error
      if (attemptsLeft === 0) throw new StartProblem(`${HELD} Run this again when it is done.`)
    }
    await sleep(SWITCH_PAUSE_MS)
  }
}

const HELD = 'Another transaction, such as a backup, reads the settings.'

async function rotateOnce(rotation: Rotation): Promise<void> {
  for (const column of sealedColumns) await resealColumn(rotation, column)
  for (const columns of accountColumns) await renewAccounts(rotation, columns)
  await renewEntries(rotation)
  await renewPaperAccounts(rotation)
  rotation.tell('digests of account numbers of wallets', await withoutTimeLimit(rotation, renewNumberDigests))
  await renewRecipients(rotation)
  await withoutTimeLimit(rotation, async ({ sql, realClock }, keyId) => {
    await forgetSpentKeys(sql, { keyId, before: addDays(realClock.now(), -1) })
  })
  const { deps, keyId, tell, fail } = rotation
  const closed = await closeChains(deps, keyId, {
    fail: (platformId, problem) => fail({ platformId, what: 'audit chains', problem }),
    onClosed: askForNewCodes,
  })
  tell('audit chains', closed)
}

async function renewAccounts(rotation: Rotation, columns: AccountColumns): Promise<void> {
  const { table } = columns
  const { deps } = rotation
  let after: AccountToRenew | null = null
  let count = 0
  for (;;) {
    const batch = { after, limit: ROWS_PER_BATCH }
    const accounts = await withoutTimeLimit(rotation, ({ sql }, keyId) =>
      listAccountsToRenew(sql, columns, { ...batch, keyId }),
    )
    for (const { platformId, id, routing, accountSealed } of accounts) {
      try {
        const account = deps.keyRing.openText(accountSealed, 'bank account')
        const named = { platformId, routing, account, ...(table === 'bank_trials' && { userId: id }) }
        await inTransaction(deps, (tx) => accountDigestOf(tx, named))
        count++
      } catch (error) {
        rotation.fail({ platformId, what: 'digests of accounts', problem: `${table} ${id} cannot be renewed` }, error)
      }
    }
    if (accounts.length < ROWS_PER_BATCH) break
    after = accounts.at(-1) as AccountToRenew
  }
  rotation.tell(`digests of ${table.replace('_', ' ')}`, count)
}

const entryTables = ['ach_entries', 'ach_recovered_entries'] as const

/** Recomputes the account digests in files sent to the bank. */
async function renewEntries(rotation: Rotation): Promise<void> {
  let count = 0
  for (const fileId of await withoutTimeLimit(rotation, ({ sql }, keyId) => listAchFilesToRenew(sql, keyId))) {
    try {
      count += await withoutTimeLimit(rotation, (tx, keyId) => renewEntriesOfFile(tx, { fileId, keyId }))
    } catch (error) {
      rotation.fail({ platformId: null, what: 'digests of ACH entries', problem: `file ${fileId}` }, error)
    }
  }
  rotation.tell('digests of ACH entries', count)
}

async function renewEntriesOfFile(
  { sql, keyRing }: TxDeps,
  { fileId, keyId }: { fileId: string; keyId: string },
): Promise<number> {
  const sealed = await findAchContent(sql, fileId)
  if (!sealed) throw new Error('its content is not known')
  const text = keyRing.open(sealed, 'ach file').toString('latin1')
  const sent = parseNachaFiles(text).flatMap(({ content }) => content.entries)
  const accounts = new Map(sent.map(({ traceNumber, accountNumber }) => [traceNumber, accountNumber]))
  let count = 0
  for (const table of entryTables) {
    const entries = await listEntriesToRenew(sql, table, { fileId, keyId })
    const renewed = entries.flatMap((entry) => {
      const account = accounts.get(entry.traceNumber)
      const isKnown = account !== undefined && keyRing.isDigestOf(entry.accountDigest, account, 'ach account')
      return isKnown ? [{ ...entry, fresh: keyRing.digest(account, 'ach account', keyId) }] : []
    })
    if (renewed.length < entries.length) throw new Error('its content does not name the accounts of all entries')
    await updateEntryDigests(sql, table, fileId, renewed)
    count += renewed.length
  }
  return count
}

async function renewPaperAccounts(rotation: Rotation): Promise<void> {
  const { deps } = rotation
  let count = 0
  for (const { accountDigest: former, accountSealed } of await withoutTimeLimit(rotation, ({ sql }, keyId) =>
    listSerialsToRenew(sql, keyId),
  )) {
    const account = openPaperAccount(deps, accountSealed)
    const present = await inTransaction(deps, (tx) => storePaperDigest(tx, account))
    for (;;) {
      const done = await inTransaction(deps, ({ sql }) => renewChecks(sql, { former, present, limit: ROWS_PER_BATCH }))
      count += done
      if (done < ROWS_PER_BATCH) break
    }
    await inTransaction(deps, ({ sql }) => deleteUnusedSerial(sql, former))
  }
  rotation.tell('digests of checks', count)
}

/**
 * Recomputes the digests of people who refused or received mail. Their addresses are stored with the refusal, or in their payments.
 */
async function renewRecipients(rotation: Rotation): Promise<void> {
  const { deps } = rotation
  const unknown = new Set<string>()
  const suppressions = await withoutTimeLimit(rotation, ({ sql }, keyId) => listSuppressionsToRenew(sql, keyId))
  for (const { emailDigest, emailSealed } of suppressions) {
    if (!emailSealed) unknown.add(emailDigest.toString('hex'))
    else {
      const email = deps.keyRing.openText(emailSealed, 'suppressed email')
      await inTransaction(deps, (tx) => recipientDigest(tx, email, null))
    }
  }
  let count = suppressions.length - unknown.size
  for (let after: string | null = null; ; ) {
    const platformIds: string[] = await listPlatforms(deps.sql, { after, limit: ROWS_PER_BATCH })
    for (const platformId of platformIds) {
      try {
        count += await renewRecipientsOf(rotation, platformId, unknown)
      } catch (error) {
        rotation.fail({ platformId, what: 'digests of recipients', problem: 'they cannot be renewed' }, error)
      }
    }
    if (platformIds.length < ROWS_PER_BATCH) break
    after = platformIds.at(-1) as string
  }
  if (unknown.size > 0) {
    const problem = `${unknown.size} addresses that refuse mail are not known: no payment names them`
    rotation.fail({ platformId: null, what: 'digests of addresses that refuse mail', problem })
  }
  rotation.tell('digests of recipients', count)
}

/**
 * Recomputes the digests of mail recipients on one platform. @param unknown digests of refusals without an address. Those that are found
 * are removed from the set
 */
async function renewRecipientsOf(rotation: Rotation, platformId: string, unknown: Set<string>): Promise<number> {
  const { deps, keyId } = rotation
  const own = await listRecipientsToRenew(deps.sql, { platformId, keyId })
  if (own.length === 0 && unknown.size === 0) return 0
  const old = new Set([...own.map((digest) => digest.toString('hex')), ...unknown])
  let count = 0
  for (let after: string | null = null; ; ) {
    const payments: { id: string; recipient: string }[] = await listPaymentRecipients(deps.sql, {
      platformId,
      after,
      limit: ROWS_PER_BATCH,
    })
    for (const email of new Set(payments.map(({ recipient }) => normalizeEmail(recipient)))) {
      const former = deps.keyRing.digests(email, 'mail recipient').filter((digest) => old.has(digest.toString('hex')))
      if (former.length === 0) continue
      await inTransaction(deps, async (tx) => {
        const emailDigest = await recipientDigest(tx, email, platformId)
        const emailSealed = deps.keyRing.seal(email, 'suppressed email')
        await updateSuppressionEmail(tx.sql, { emailDigest, emailSealed })
      })
      for (const digest of former) {
        old.delete(digest.toString('hex'))
        unknown.delete(digest.toString('hex'))
      }
      count++
    }
    if (payments.length < ROWS_PER_BATCH) break
    after = payments.at(-1)?.id ?? null
  }
  await deleteUnknownRecipients(deps.sql, { platformId, keyId })
  return count
}
