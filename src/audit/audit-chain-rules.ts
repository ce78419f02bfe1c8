/** An audit entry with every column as text, as it is sealed. */
export type ChainedEntry = Record<(typeof CHAINED_COLUMNS)[number], string | null>

/** Every column of `audit_entries`, in the order in which it is sealed. The time has microseconds, UTC. */
export const CHAINED_COLUMNS = [
  'platformId',
  'id',
  'action',
  'actor',
  'actorId',
  'userId',
  'subject',
  'address',
  'userAgent',
  'createdAt',
] as const

/** The last link of a chain. Without one, a chain begins with number 1 behind 32 zero bytes. */
export type ChainHead = { sequence: number; digest: Buffer }

export const CHAIN_START: ChainHead = { sequence: 0, digest: Buffer.alloc(32) }

/** The bytes of which the HMAC of the next link is made: a form that differs for any two entries, places and keys. */
export function linkText(before: ChainHead, entry: ChainedEntry, keyId: string): string {
  const columns = CHAINED_COLUMNS.map((name) => entry[name])
  return JSON.stringify([FORMAT, keyId, before.sequence + 1, before.digest.toString('hex'), ...columns])
}

/**
 * The bytes of which the HMAC over a chain as far as a link is made: from that of the link before, so that one HMAC proves
 * all of them, also those whose own key is gone.
 */
export function closingText(
  before: Buffer,
  { sequence, digest, keyId, entry }: ChainHead & { keyId: string; entry: ChainedEntry },
): string {
  const columns = CHAINED_COLUMNS.map((name) => entry[name])
  return JSON.stringify([CLOSING_FORMAT, before.toString('hex'), keyId, sequence, digest.toString('hex'), ...columns])
}

const CLOSING_FORMAT = 'remit audit closing 1'

/** Another set of columns needs another format. */
const FORMAT = 'remit audit 1'

/** `PLATFORM:SEQUENCE:DIGEST`: the head of a chain as the log has it, and `remit verify-audit --head` takes it. */
export const formatHead = (platformId: string, { sequence, digest }: ChainHead): string =>
  `${platformId}:${sequence}:${digest.toString('hex')}`

export type LoggedHead = ChainHead & { platformId: string }

/** Null when the text is no head. */
export function parseHead(text: string): LoggedHead | null {
  const [, platformId, sequence, digest] = /^([0-9a-f]{32}):([1-9]\d{0,14}):([0-9a-f]{64})$/.exec(text) ?? []
  if (!platformId || !sequence || !digest) return null
  return { platformId, sequence: Number(sequence), digest: Buffer.from(digest, 'hex') }
}
