const RECORDED_EVERY_MS = 60_000

/** Returns whether to store a new last use of a key, a token or a session. Stored times are precise to a minute. */
export const shouldRecordUse = (lastUsedAt: Date | null, now: Date): boolean =>
  lastUsedAt === null || now.getTime() - lastUsedAt.getTime() >= RECORDED_EVERY_MS
