import type { Deps, TxDeps } from '../db/deps.ts'
import { CHAIN_START, type ChainHead, closingText, formatHead, type LoggedHead, linkText } from './audit-chain-rules.ts'
import {
  type ClosingRow,
  findClosing,
  findHead,
  findNextPlatform,
  insertSeals,
  listEntriesToSeal,
  listSeals,
  listUnsealed,
  readSnapshot,
  type SealRow,
  tryLockChain,
  type UnsealedEntry,
} from './audit-chain-store.ts'

const ENTRIES_PER_BATCH = 500
const SEALS_READ_AT_ONCE = 1_000

/**
 * Seals committed entries of a platform, in the order in which this transaction sees them. Entries that commit later are sealed later.
 * Logs the new chain head, so that removed links can be detected.
 *
 * @returns the number of sealed entries, or 0 if none is waiting or another worker seals this chain
 */
export async function sealEntries(tx: TxDeps, platformId: string): Promise<number> {
  if (!(await tryLockChain(tx.sql, platformId))) return 0
  const first = (await findHead(tx.sql, platformId)) ?? CHAIN_START
  const entries = await listEntriesToSeal(tx.sql, platformId, ENTRIES_PER_BATCH)
  if (entries.length === 0) return 0
  const keyId = tx.keyRing.ids[0]
  let head = first
  const seals = entries.map((entry) => {
    const digest = tx.keyRing.chainDigest(linkText(head, entry, keyId), keyId)
    head = { sequence: head.sequence + 1, digest }
    return { entryId: entry.id as string, digest }
  })
  await insertSeals(tx.sql, platformId, { after: first.sequence, keyId, seals })
  tx.afterCommit(() =>
    tx.log.info({ entries: entries.length, head: formatHead(platformId, head) }, 'audit entries sealed'),
  )
  return entries.length
}

/** The first place where a chain is broken, and the reason. `sequence` is null for an entry without a seal. */
export type ChainBreak = { sequence: number | null; entryId: string | null; problem: string }

/** The result of verifying a chain. */
export type ChainReport = {
  platformId: string
  /** The last link that is valid. */
  head: ChainHead
  break: ChainBreak | null
  /** Entries that are not sealed yet. */
  waiting: UnsealedEntry[]
}

/**
 * Verifies the chains of all platforms, or of one.
 *
 * @param given.heads heads from the log. The chain of each platform must still contain them
 */
export async function verifyChains(
  deps: Pick<Deps, 'sql' | 'keyRing'>,
  { platformId, heads }: { platformId: string | null; heads: readonly LoggedHead[] },
  onReport: (report: ChainReport) => void,
): Promise<void> {
  const verify = (id: string) =>
    verifyChain(
      deps,
      id,
      heads.filter((head) => head.platformId === id),
    )
  if (platformId !== null) return onReport(await verify(platformId))
  const missing = new Set(heads.map((head) => head.platformId))
  for (let id = await nextPlatform(deps, NO_ID); id !== null; id = await nextPlatform(deps, id)) {
    missing.delete(id)
    onReport(await verify(id))
  }
  for (const id of missing) onReport(await verify(id))
}

const NO_ID = '0'.repeat(32)

const nextPlatform = ({ sql }: Pick<Deps, 'sql'>, after: string): Promise<string | null> =>
  sql.begin((tx) => findNextPlatform(tx, after))

const verifyChain = (
  deps: Pick<Deps, 'sql' | 'keyRing'>,
  platformId: string,
  heads: readonly LoggedHead[],
): Promise<ChainReport> =>
  deps.sql.begin(async (sql) => {
    await readSnapshot(sql)
    const given = { sql, keyRing: deps.keyRing }
    const { head, found } = await followChain(given, platformId, heads)
    const unsealed = found ? [] : await listUnsealed(sql, platformId)
    return {
      platformId,
      head,
      break: found ?? unsealedBreak(unsealed) ?? cutOff(head, heads),
      waiting: unsealed.filter(({ isWaiting, action }) => isWaiting && action !== null),
    }
  })

/**
 * Creates a closing for the valid part of a platform's audit chain. A closing is one HMAC with the primary key that proves all links before
 * it, so that their keys can be removed. Broken chains are not closed.
 *
 * @returns the first break of the chain, or the closing to store
 */
export const closingOf = (
  deps: Pick<Deps, 'sql' | 'keyRing'>,
  platformId: string,
): Promise<{ found: ChainBreak } | { found: null; closing: ClosingRow; head: ChainHead }> =>
  deps.sql.begin(async (sql) => {
    await readSnapshot(sql)
    const keyId = deps.keyRing.ids[0]
    const { head, found, proof } = await followChain({ sql, keyRing: deps.keyRing }, platformId, [], keyId)
    return found ? { found } : { found, closing: { sequence: head.sequence, digest: proof, keyId }, head }
  })

type Following = Pick<TxDeps, 'sql' | 'keyRing'>

/**
 * Verifies a chain link by link, from its start. If the key of a link is missing, a closing proves the link.
 *
 * @param closesWith the key for a new HMAC over the whole chain, or null for none
 */
async function followChain(
  deps: Following,
  platformId: string,
  heads: readonly LoggedHead[],
  closesWith: string | null = null,
): Promise<{ head: ChainHead; found: ChainBreak | null; proof: Buffer }> {
  const closing = await findClosing(deps.sql, platformId, deps.keyRing.ids)
  const knownAs = (keyId: string | null) => ({ keyId, digest: CHAIN_START.digest })
  const [closed, whole] = [knownAs(closing?.keyId ?? null), knownAs(closesWith)]
  let head = CHAIN_START
  for (;;) {
    const seals = await listSeals(deps.sql, platformId, { after: head.sequence, limit: SEALS_READ_AT_ONCE })
    for (const seal of seals) {
      const found =
        linkProblem(deps, head, seal, closing) ??
        headProblem(seal, heads) ??
        closingProblem(prove(deps, closed, seal), seal, closing)
      if (found) return { head, found, proof: whole.digest }
      prove(deps, whole, seal)
      head = { sequence: seal.sequence, digest: seal.digest }
    }
    if (seals.length < SEALS_READ_AT_ONCE) return { head, found: cutOffClosing(head, closing), proof: whole.digest }
  }
}

type Proof = { keyId: string | null; digest: Buffer }

/** Adds a link to the HMAC over a chain. @returns the new HMAC */
function prove({ keyRing }: Following, proof: Proof, { entry, ...seal }: SealRow): Buffer {
  if (proof.keyId !== null && entry) {
    proof.digest = keyRing.chainDigest(closingText(proof.digest, { ...seal, entry }), proof.keyId)
  }
  return proof.digest
}

function closingProblem(digest: Buffer, { sequence }: SealRow, closing: ClosingRow | null): ChainBreak | null {
  if (sequence !== closing?.sequence || digest.equals(closing.digest)) return null
  return { sequence, entryId: null, problem: 'it, or an earlier one, was changed since the chain was closed' }
}

const cutOffClosing = ({ sequence }: ChainHead, closing: ClosingRow | null): ChainBreak | null =>
  closing && closing.sequence > sequence
    ? { sequence: sequence + 1, entryId: null, problem: `${closing.sequence} entries were closed: the end was cut off` }
    : null

function linkProblem(
  { keyRing }: Following,
  before: ChainHead,
  seal: SealRow,
  closing: ClosingRow | null,
): ChainBreak | null {
  const { sequence, entryId, keyId, entry } = seal
  const at = { sequence, entryId }
  if (sequence !== before.sequence + 1) {
    return { sequence: before.sequence + 1, entryId: null, problem: 'its seal was removed' }
  }
  if (!entry) return { ...at, problem: 'the entry was removed' }
  if (!keyRing.ids.includes(keyId)) {
    if (closing && sequence <= closing.sequence) return null
    return { ...at, problem: `it was sealed with master key ${keyId}, which is not in the key ring` }
  }
  const isSame = keyRing.chainDigest(linkText(before, entry, keyId), keyId).equals(seal.digest)
  return isSame ? null : { ...at, problem: 'it does not match its seal: it was changed, moved or inserted' }
}

function headProblem({ sequence, entryId, digest }: SealRow, heads: readonly LoggedHead[]): ChainBreak | null {
  const isOther = heads.some((head) => head.sequence === sequence && !head.digest.equals(digest))
  return isOther ? { sequence, entryId, problem: 'the log has another digest for it: the chain was made again' } : null
}

/**
 * Finds an entry that was removed before it was sealed, or inserted without a seal. Database access alone is not enough to seal an entry.
 */
function unsealedBreak(unsealed: readonly UnsealedEntry[]): ChainBreak | null {
  const removed = unsealed.find(({ action }) => action === null)
  if (removed) return { sequence: null, entryId: removed.entryId, problem: 'it was removed before it was sealed' }
  const inserted = unsealed.find(({ isWaiting }) => !isWaiting)
  if (!inserted) return null
  return { sequence: null, entryId: inserted.entryId, problem: 'it was inserted, or its seal was removed' }
}

function cutOff({ sequence }: ChainHead, heads: readonly LoggedHead[]): ChainBreak | null {
  const last = Math.max(0, ...heads.map((head) => head.sequence))
  if (last <= sequence) return null
  return { sequence: sequence + 1, entryId: null, problem: `the log has ${last} sealed entries: the end was cut off` }
}
