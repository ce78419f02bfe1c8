/** An audit entry with every column as text, in the form that is sealed. */
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

/** The last link of a chain. The first link has number 1 and follows a digest of 32 zero bytes. */
export type ChainHead = { sequence: number; digest: Buffer }

export const CHAIN_START: ChainHead = { sequence: 0, digest: Buffer.alloc(32) }

/** Returns the input of the next link's HMAC. It is different for any two entries, positions and keys. */
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
 * Returns the input of the HMAC over a chain up to a link. It includes the HMAC up to the previous link, so that one HMAC proves
 * all links, including those whose key is gone.
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

/** Each set of columns has a format of its own. Format 1 is older than `loginId`, and entries without a person still have it. */
function sealedForm(entry: ChainedEntry): { format: 1 | 2; columns: (string | null)[] } {
  const columns = CHAINED_COLUMNS.map((name) => entry[name])
  return entry.loginId === null ? { format: 1, columns: columns.slice(0, -1) } : { format: 2, columns }
}

/** `PLATFORM:SEQUENCE:DIGEST`: a chain head in the form that the log contains and `remit verify-audit --head` accepts. */
export const formatHead = (platformId: string, { sequence, digest }: ChainHead): string =>
  `${platformId}:${sequence}:${digest.toString('hex')}`

export type LoggedHead = ChainHead & { platformId: string }

/** Returns null when the text is not a chain head. */
export function parseHead(text: string): LoggedHead | null {
  const [, platformId, sequence, digest] = /^([0-9a-f]{32}):([1-9]\d{0,14}):([0-9a-f]{64})$/.exec(text) ?? []
  if (!platformId || !sequence || !digest) return null
  return { platformId, sequence: Number(sequence), digest: Buffer.from(digest, 'hex') }
}
