/** An audit entry in the form in which it is sealed: every column as text. */
export type ChainedEntry = Record<(typeof CHAINED_COLUMNS)[number], string | null>

/** Every column of `audit_entries`, in sealing order. The time is UTC with microseconds. */
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
  'loginId',
] as const

/** The last link of a chain. Links are numbered from 1. The first link follows a digest of 32 zero bytes. */
export type ChainHead = { sequence: number; digest: Buffer }

export const CHAIN_START: ChainHead = { sequence: 0, digest: Buffer.alloc(32) }

/** Returns the input of the HMAC of the next link. Different entries, positions or keys have different inputs. */
export function linkText(before: ChainHead, entry: ChainedEntry, keyId: string): string {
  const { format, columns } = sealedForm(entry)
  return JSON.stringify([
    `remit audit ${format}`,
    keyId,
    before.sequence + 1,
    before.digest.toString('hex'),
    ...columns,
  ])
}

/**
 * Returns the input of the HMAC over a chain up to a link. It includes the HMAC up to the previous link, so that one HMAC proves all
 * links, even those whose key was removed.
 */
export function closingText(
  before: Buffer,
  { sequence, digest, keyId, entry }: ChainHead & { keyId: string; entry: ChainedEntry },
): string {
  const { format, columns } = sealedForm(entry)
  return JSON.stringify([
    `remit audit closing ${format}`,
    before.toString('hex'),
    keyId,
    sequence,
    digest.toString('hex'),
    ...columns,
  ])
}

/** Returns the columns to seal and their format. Format 1 is from before `loginId` existed. Entries without a person still use it. */
function sealedForm(entry: ChainedEntry): { format: 1 | 2; columns: (string | null)[] } {
  const columns = CHAINED_COLUMNS.map((name) => entry[name])
  return entry.loginId === null ? { format: 1, columns: columns.slice(0, -1) } : { format: 2, columns }
}

/** Formats a chain head as `PLATFORM:SEQUENCE:DIGEST`, for the log and for `remit verify-audit --head`. */
export const formatHead = (platformId: string, { sequence, digest }: ChainHead): string =>
  `${platformId}:${sequence}:${digest.toString('hex')}`

export type LoggedHead = ChainHead & { platformId: string }

/** Parses a chain head. Returns null for other texts. */
export function parseHead(text: string): LoggedHead | null {
  const [, platformId, sequence, digest] = /^([0-9a-f]{32}):([1-9]\d{0,14}):([0-9a-f]{64})$/.exec(text) ?? []
  if (!platformId || !sequence || !digest) return null
  return { platformId, sequence: Number(sequence), digest: Buffer.from(digest, 'hex') }
}
