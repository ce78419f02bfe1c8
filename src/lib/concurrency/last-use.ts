const NOTED_EVERY_MS = 60_000

/** Whether the use of a key, a token or a session is worth writing down: its last one is kept to within a minute. */
export const isUseWorthNoting = (lastUsedAt: Date | null, now: Date): boolean =>
  lastUsedAt === null || now.getTime() - lastUsedAt.getTime() >= NOTED_EVERY_MS
